package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineLoadTest {
    private static final List<String> STAT = List.of(
            "cpu  1 2 3 4 5 6 7 8 9 10",
            "cpu0 10 20 30 4000 5000 0 0 80 10 20",
            "cpu1 1 1 1 4000 5000 0 0 1 1 1",
            "cpu10 100 100 100 4000 5000 0 0 100 0 0",
            "intr 99 99");

    @Test
    void addsTheBusyColumnsOfTheWatchedCoresAlone() {
        assertThat(new MachineLoad(List.of(0)).parse(STAT)).isEqualTo(140 * 10_000_000L);
        assertThat(new MachineLoad(List.of(0, 1)).parse(STAT)).isEqualTo(144 * 10_000_000L);
        assertThat(new MachineLoad(List.of(10)).parse(STAT)).isEqualTo(400 * 10_000_000L);
    }

    @Test
    void thisMachineHasBeenBusy() {
        assertThat(new MachineLoad(Cores.allowed()).busyNanos()).isPositive();
    }
}
