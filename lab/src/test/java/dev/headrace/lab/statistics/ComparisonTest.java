package dev.headrace.lab.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.headrace.lab.statistics.Comparison.Outcome;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void noiseFloorFallsWithTheRounds() {
        assertThat(Comparison.noiseFloor(4)).isCloseTo(0.15, within(1e-9));
        assertThat(Comparison.noiseFloor(10)).isCloseTo(0.08, within(1e-9));
        assertThat(Comparison.noiseFloor(40)).isLessThan(0.035);
    }

    @Test
    void intervalBelowOneBeyondNoiseIsLess() {
        Comparison comparison = new Comparison(new Interval(0.85, 0.83, 0.88), 12);
        assertThat(comparison.outcome()).isEqualTo(Outcome.LESS);
        assertThat(comparison.smallestDifferenceSeen()).isBetween(0.05, 0.08);
    }

    @Test
    void intervalAboveOneBeyondNoiseIsMore() {
        assertThat(new Comparison(new Interval(1.2, 1.1, 1.3), 12).outcome()).isEqualTo(Outcome.MORE);
    }

    @Test
    void intervalAcrossOneIsNoDifference() {
        Comparison comparison = new Comparison(new Interval(0.9, 0.7, 1.05), 40);
        assertThat(comparison.outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(comparison.differenceRuledOut()).isGreaterThanOrEqualTo(0.3);
    }

    @Test
    void narrowIntervalBelowTheNoiseFloorIsNoDifference() {
        Comparison comparison = new Comparison(new Interval(0.95, 0.94, 0.96), 4);
        assertThat(comparison.outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(comparison.differenceRuledOut()).isCloseTo(0.15, within(1e-9));
    }

    @Test
    void wideIntervalSeesOnlyLargeDifferences() {
        Comparison comparison = new Comparison(new Interval(1, 0.9, 1.1), 40);
        assertThat(comparison.smallestDifferenceSeen()).isCloseTo(0.151, within(0.001));
    }

    @Test
    void findsWhatIsThereAndNothingElse() {
        Random random = new Random(5);
        int found = 0;
        int invented = 0;
        int runs = 100;
        for (int run = 0; run < runs; run++) {
            double[] base = noisy(random, 10);
            found += Comparison.of(noisy(random, 9), base).outcome() == Outcome.LESS ? 1 : 0;
            invented += Comparison.of(noisy(random, 10), base).outcome() != Outcome.NO_DIFFERENCE ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(90);
        assertThat(invented).isLessThanOrEqualTo(5);
    }

    /** Twenty rounds around a cost, with the spread of a quiet machine. */
    private static double[] noisy(Random random, double cost) {
        return random.doubles(20)
                .map(x -> cost * Math.exp(0.03 * random.nextGaussian()))
                .toArray();
    }
}
