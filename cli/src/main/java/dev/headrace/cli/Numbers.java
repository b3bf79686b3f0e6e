package dev.headrace.cli;

import java.util.Locale;

/**
 * Prints numbers with as many digits as they deserve.
 *
 * <p>Thread: any; no state.
 */
final class Numbers {
    private static final double HUNDREDS = 100;
    private static final double TENS = 10;

    private Numbers() {}

    /** Whole, with thin groups of thousands, for example {@code 118 234}. */
    static String grouped(double value) {
        return String.format(Locale.ROOT, "%,d", Math.round(value)).replace(',', ' ');
    }

    /** About three digits: {@code 834}, {@code 13.1}, {@code 0.62}. */
    static String significant(double value) {
        double size = Math.abs(value);
        String format = size >= HUNDREDS ? "%.0f" : size >= TENS ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    /** Without a fraction when there is none: {@code 50}, {@code 99.9}. */
    static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
