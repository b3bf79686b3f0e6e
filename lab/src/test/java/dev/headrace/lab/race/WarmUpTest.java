package dev.headrace.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private static final Duration LONGEST = Duration.ofSeconds(8);

    @Test
    void aColdRuntimeGetsFiveSecondsHoweverSteady() {
        WarmUp warmUp = new WarmUp(true, true, LONGEST);
        assertThat(windowsOf(warmUp, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8)).isEqualTo(10);
        assertThat(warmUp.steady()).isTrue();
    }

    @Test
    void oneThatKeepsGettingFasterIsCutOff() {
        WarmUp warmUp = new WarmUp(true, true, LONGEST);
        assertThat(windowsOf(warmUp, 90, 80, 70, 60, 50, 45, 40, 35, 30, 25, 22, 19, 17, 15, 13, 11, 9, 8))
                .isEqualTo(16);
        assertThat(warmUp.steady()).isFalse();
    }

    @Test
    void nativeCodeIsWarmAsSoonAsItIsSteady() {
        assertThat(windowsOf(new WarmUp(false, true, LONGEST), 9, 8, 8, 8, 8)).isEqualTo(4);
    }

    @Test
    void laterLoadsTakeLess() {
        assertThat(windowsOf(new WarmUp(true, false, LONGEST), 9, 8, 7, 6, 5, 4, 3, 2))
                .isEqualTo(6);
        assertThat(windowsOf(new WarmUp(true, false, LONGEST), 8, 8, 8, 8)).isEqualTo(3);
    }

    @Test
    void theUsersBoundHolds() {
        assertThat(windowsOf(new WarmUp(true, true, Duration.ofSeconds(1)), 9, 8, 7))
                .isEqualTo(2);
        assertThat(windowsOf(new WarmUp(true, true, Duration.ZERO), 9, 8, 7)).isZero();
    }

    private static int windowsOf(WarmUp warmUp, double... costs) {
        int taken = 0;
        while (!warmUp.over()) {
            warmUp.add(Races.window(costs[taken]));
            taken++;
        }
        return taken;
    }
}
