package dev.headrace.lab.statistics;

/**
 * A median with the bounds between which the true one lies with 90 % confidence.
 *
 * <p>Thread: any; immutable.
 */
public record Interval(double median, double low, double high) {
    /** How far the farther bound is from the median, as a part of the median. */
    public double halfWidth() {
        return Math.max(high - median, median - low) / median;
    }

    /** Whether a value lies within the bounds. */
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
