package dev.headrace.lab.load;

import java.util.Locale;

/** Which side of a load had no more to give. */
public enum Saturation {
    SERVER,
    LOAD,
    NONE;

    /** A core that is busy for this part of the time is full; the rest are the edges of windows. */
    private static final double FULL = 0.95;

    /** Judges by the parts of the time that each was on its core. */
    public static Saturation of(double serverShare, double loadShare) {
        if (serverShare >= FULL) {
            return SERVER;
        }
        return loadShare >= FULL ? LOAD : NONE;
    }

    /** The name as it is printed. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
