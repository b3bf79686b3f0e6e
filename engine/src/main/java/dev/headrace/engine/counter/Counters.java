package dev.headrace.engine.counter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counts of one loop.
 *
 * <p>Thread: written by the loop's thread alone, read by any; a reader sees each count as of a moment ago, and the
 * counts are not a snapshot of one moment. Owns: its array.
 */
public final class Counters {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    /** A cache line of room on both sides keeps neighbours' writes away. */
    private static final int PADDING = 8;

    private static final int COUNT = Counter.values().length;

    private final long[] values = new long[PADDING + COUNT + PADDING];

    /** Adds one; loop thread only. */
    public void increment(Counter counter) {
        add(counter, 1);
    }

    /** Adds an amount; loop thread only. */
    public void add(Counter counter, long amount) {
        int index = PADDING + counter.ordinal();
        ELEMENT.setOpaque(values, index, values[index] + amount);
    }

    /** Keeps the larger value; loop thread only. */
    public void max(Counter counter, long value) {
        int index = PADDING + counter.ordinal();
        if (value > values[index]) {
            ELEMENT.setOpaque(values, index, value);
        }
    }

    /** The present value. */
    public long get(Counter counter) {
        return (long) ELEMENT.getOpaque(values, PADDING + counter.ordinal());
    }

    /** All counts by name, in the order of {@link Counter}. */
    public Map<Counter, Long> toMap() {
        Map<Counter, Long> map = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            map.put(counter, get(counter));
        }
        return map;
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
