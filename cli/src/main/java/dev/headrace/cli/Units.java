package dev.headrace.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads counts such as {@code 10k} and durations such as {@code 500ms}.
 *
 * <p>Thread: any; no state.
 */
final class Units {
    private static final Pattern AMOUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]*)");
    private static final Map<String, Long> COUNTS =
            Map.of("", 1L, "k", 1_000L, "K", 1_000L, "M", 1_000_000L, "Ki", 1L << 10, "Mi", 1L << 20);
    private static final Map<String, Long> NANOS = Map.of(
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    private Units() {}

    /** A count of at least one, with or without an SI prefix. */
    static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return count(value, "a count such as 100, 1k or 2.5k");
        }
    }

    /** A size in bytes, with or without a prefix and the letter B. */
    static final class Size implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            String bare = value.endsWith("B") ? value.substring(0, value.length() - 1) : value;
            return count(bare, "a size such as 100, 1kB or 64KiB");
        }
    }

    /** A length of time; without a unit it is seconds. */
    static final class Time implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String value) {
            return Duration.ofNanos(parse(value, NANOS, "a time such as 500ms, 10s or 2m"));
        }
    }

    private static int count(String value, String example) {
        long count = parse(value, COUNTS, example);
        if (count < 1 || count > Integer.MAX_VALUE) {
            throw new TypeConversionException("'" + value + "' is out of range: 1 to " + Integer.MAX_VALUE);
        }
        return (int) count;
    }

    private static long parse(String value, Map<String, Long> units, String example) {
        Matcher matcher = AMOUNT.matcher(value.strip());
        Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new TypeConversionException("'" + value + "' is not " + example);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(unit))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new TypeConversionException("'" + value + "' is not " + example);
        }
    }
}
