package dev.headrace.testkit.sim;

import java.util.EnumSet;
import java.util.Set;

/**
 * All that is left to chance in a run, decided by its seed.
 *
 * <p>A decision depends on the seed, on what is decided, and on how often that was decided before, never on decisions about
 * other things: with one kind of fault switched off the others stay as they were, as far as the run does. That is what lets
 * a failing run be made smaller.
 *
 * <p>Thread: the simulation's.
 */
public final class Chance {
    private final long seed;
    private final Set<Mark> off;
    private final Marks marks;
    private final long[] asked = new long[Mark.values().length];
    private long drawn;

    public Chance(long seed, Set<Mark> off, Marks marks) {
        this.seed = mix(seed);
        this.off = off.isEmpty() ? EnumSet.noneOf(Mark.class) : EnumSet.copyOf(off);
        this.marks = marks;
    }

    /** Whether the fault happens here, which it does once in {@code oneIn} times; counted as met when it does. */
    public boolean strikes(Mark fault, int oneIn) {
        long decision = mix(seed + ((long) fault.ordinal() + 1 << 48) + ++asked[fault.ordinal()]);
        boolean strikes = !off.contains(fault) && Long.remainderUnsigned(decision, oneIn) == 0;
        if (strikes) {
            marks.met(fault);
        }
        return strikes;
    }

    /** A number from 0 to {@code bound - 1}. */
    public int below(int bound) {
        return (int) Long.remainderUnsigned(mix(seed - ++drawn), bound);
    }

    /** A number from {@code min} to {@code max}, both included. */
    public int between(int min, int max) {
        return min + below(max - min + 1);
    }

    private static long mix(long value) {
        long z = value * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
