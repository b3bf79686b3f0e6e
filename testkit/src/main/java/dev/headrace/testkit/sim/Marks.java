package dev.headrace.testkit.sim;

import java.util.Arrays;
import java.util.Locale;

/** How often each {@link Mark} was met. Thread: one; a sum of runs is made by {@link #add}. */
public final class Marks {
    private final long[] counts = new long[Mark.values().length];

    public void met(Mark mark) {
        counts[mark.ordinal()]++;
    }

    public long count(Mark mark) {
        return counts[mark.ordinal()];
    }

    /** Adds those of another run. */
    public void add(Marks other) {
        Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
    }

    /** A line for each mark: its count and its name. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Mark mark : Mark.values()) {
            text.append("%12d  %s%n".formatted(count(mark), inWords(mark)));
        }
        return text.toString();
    }

    static String inWords(Mark mark) {
        return mark.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
