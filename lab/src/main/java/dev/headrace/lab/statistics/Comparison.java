package dev.headrace.lab.statistics;

/**
 * Judges paired rounds of two servers: how much a costs relative to b, whether that is a difference, and how small a
 * difference these rounds could have shown.
 *
 * <p>Thread: any; immutable.
 *
 * @param ratio a divided by b, the median of the rounds with its 90 % interval
 * @param rounds how many pairs it rests on
 */
public record Comparison(Interval ratio, int rounds) {
    /** The outcomes; a difference is claimed only when both the interval and the floor allow it. */
    public enum Outcome {
        LESS,
        MORE,
        NO_DIFFERENCE
    }

    /**
     * An interval of 90 % reaches 1.645 standard errors to each side. A true difference of 1.645 + 0.842 standard
     * errors, 1.51 half widths, is found in four runs of five.
     */
    private static final double HALF_WIDTHS_SEEN = (1.645 + 0.842) / 1.645;

    /**
     * The same binary raced against itself differs by up to 15 % in 4 rounds and 8 % in 10: placement in memory and
     * phases of the machine last longer than a round, so the spread between rounds alone does not show them.
     */
    private static final double FLOOR_OF_FOUR_ROUNDS = 0.15;

    private static final double FLOOR_EXPONENT = Math.log(0.15 / 0.08) / Math.log(10.0 / 4.0);

    /** Pairs the rounds of a and b. */
    public static Comparison of(double[] a, double[] b) {
        return new Comparison(Statistics.medianInterval(Statistics.pairedRatios(a, b)), a.length);
    }

    /** The part (0.04 is 4 %) below which a difference over that many rounds is noise on an ordinary machine. */
    public static double noiseFloor(int rounds) {
        return FLOOR_OF_FOUR_ROUNDS * Math.pow(4.0 / rounds, FLOOR_EXPONENT);
    }

    /** The smallest difference, as a part of b, that these rounds would probably have shown. */
    public double smallestDifferenceSeen() {
        return Math.max(noiseFloor(rounds), HALF_WIDTHS_SEEN * ratio.halfWidth());
    }

    /** The difference, as a part of b, above which these rounds leave none. */
    public double differenceRuledOut() {
        double farthest = Math.max(Math.abs(ratio.high() - 1), Math.abs(1 - ratio.low()));
        return Math.max(farthest, smallestDifferenceSeen());
    }

    public Outcome outcome() {
        boolean beyondNoise = Math.abs(ratio.median() - 1) > noiseFloor(rounds);
        if (ratio.contains(1) || !beyondNoise) {
            return Outcome.NO_DIFFERENCE;
        }
        return ratio.median() < 1 ? Outcome.LESS : Outcome.MORE;
    }
}
