package dev.headrace.testkit;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Bytes that can be told apart from all others: those of a seed. */
public final class Content {
    private Content() {}

    public static byte[] of(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** Names the first difference instead of printing megabytes. */
    public static void requireSame(byte[] expected, byte[] actual) {
        int index = Arrays.mismatch(expected, actual);
        if (index >= 0) {
            throw new AssertionError("contents differ from byte " + index + " on; expected " + expected.length
                    + " bytes, not " + actual.length);
        }
    }
}
