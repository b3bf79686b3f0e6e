package dev.headrace.engine.conformance;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Bytes that can be told apart from all others: those of a seed. */
final class Content {
    private Content() {}

    static byte[] of(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** Names the first difference instead of printing megabytes. */
    static void requireSame(byte[] expected, byte[] actual) {
        int index = Arrays.mismatch(expected, actual);
        if (index >= 0) {
            throw new AssertionError("contents differ from byte " + index + " on; expected " + expected.length
                    + " bytes, not " + actual.length);
        }
    }
}
