package dev.headrace.lab.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void medianIsTheMiddleOrTheMeanOfTheTwoMiddleValues() {
        assertThat(Statistics.median(new double[] {3, 1, 2})).isEqualTo(2);
        assertThat(Statistics.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        assertThatThrownBy(() -> Statistics.median(new double[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void medianLeavesItsArgumentAlone() {
        double[] values = {3, 1, 2};
        Statistics.median(values);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void ratiosArePairedRoundByRound() {
        assertThat(Statistics.pairedRatios(new double[] {1, 4}, new double[] {2, 2}))
                .containsExactly(0.5, 2);
        assertThatThrownBy(() -> Statistics.pairedRatios(new double[1], new double[2]))
                .hasMessageContaining("1 rounds cannot be paired with 2");
    }

    @Test
    void oneValueHasAnIntervalOfNoWidth() {
        assertThat(Statistics.medianInterval(new double[] {7})).isEqualTo(new Interval(7, 7, 7));
    }

    @Test
    void theSameValuesGiveTheSameInterval() {
        double[] values = {1.0, 1.1, 0.9, 1.3, 0.8, 1.05, 0.97};
        assertThat(Statistics.medianInterval(values)).isEqualTo(Statistics.medianInterval(values));
    }

    @Test
    void intervalOfManyRoundsMatchesTheOrderStatistics() {
        // For 40 values 90 % lie between ranks 15 and 26 of the sorted sample (binomial, n = 40, p = 1/2).
        double[] values = new double[40];
        for (int i = 0; i < values.length; i++) {
            values[i] = i + 1;
        }
        Interval interval = Statistics.medianInterval(values);
        assertThat(interval.median()).isEqualTo(20.5);
        assertThat(interval.low()).isCloseTo(15, within(1.0));
        assertThat(interval.high()).isCloseTo(26, within(1.0));
    }

    @Test
    void intervalCoversTheTruthInAboutNineCasesOfTen() {
        Random random = new Random(20);
        int runs = 400;
        int covered = 0;
        for (int run = 0; run < runs; run++) {
            double[] ratios = new double[20];
            for (int i = 0; i < ratios.length; i++) {
                ratios[i] = 0.9 * Math.exp(0.05 * random.nextGaussian());
            }
            covered += Statistics.medianInterval(ratios).contains(0.9) ? 1 : 0;
        }
        assertThat((double) covered / runs).isBetween(0.86, 0.96);
    }
}
