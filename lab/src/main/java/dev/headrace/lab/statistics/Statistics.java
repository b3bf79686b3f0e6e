package dev.headrace.lab.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes medians, paired ratios and 90 % bootstrap intervals.
 *
 * <p>Thread: any; no state. The random numbers have a fixed seed, so the same rounds always give the same interval.
 */
public final class Statistics {
    /** Enough that the bounds move by less than the third digit from seed to seed. */
    private static final int RESAMPLES = 4000;

    private static final long SEED = 0x48656164_72616365L;
    private static final double TAIL = 0.05;

    private Statistics() {}

    /** The middle value, or the mean of the two middle ones. */
    public static double median(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values, no median");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return medianOfSorted(sorted);
    }

    /** Round by round, a divided by b. */
    public static double[] pairedRatios(double[] a, double[] b) {
        if (a.length != b.length) {
            throw new IllegalArgumentException(a.length + " rounds cannot be paired with " + b.length);
        }
        double[] ratios = new double[a.length];
        for (int i = 0; i < a.length; i++) {
            ratios[i] = a[i] / b[i];
        }
        return ratios;
    }

    /**
     * The median of the values and its 90 % interval by the percentile bootstrap: the median is taken of many samples
     * drawn with replacement, and the middle 90 % of those medians is the interval.
     */
    public static Interval medianInterval(double[] values) {
        double median = median(values);
        if (values.length == 1) {
            return new Interval(median, median, median);
        }
        SplittableRandom random = new SplittableRandom(SEED);
        double[] medians = new double[RESAMPLES];
        double[] sample = new double[values.length];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int k = 0; k < sample.length; k++) {
                sample[k] = values[random.nextInt(values.length)];
            }
            Arrays.sort(sample);
            medians[i] = medianOfSorted(sample);
        }
        Arrays.sort(medians);
        int low = (int) Math.floor(TAIL * (RESAMPLES - 1));
        int high = (int) Math.ceil((1 - TAIL) * (RESAMPLES - 1));
        return new Interval(median, medians[low], medians[high]);
    }

    private static double medianOfSorted(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
