package dev.headrace.engine.readiness;

import java.util.Arrays;

/**
 * Descriptors that had more to give than their share of a turn. An edge-triggered poller does not name them again, so
 * they are served once more in the next turn.
 *
 * <p>Thread: the loop's. Owns: its arrays.
 */
final class Leftovers {
    private long[] tokens = new long[16];
    private int[] events = new int[16];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    void add(long token, int bits) {
        if (count == tokens.length) {
            tokens = Arrays.copyOf(tokens, count * 2);
            events = Arrays.copyOf(events, count * 2);
        }
        tokens[count] = token;
        events[count++] = bits;
    }

    int count() {
        return count;
    }

    long token(int index) {
        return tokens[index];
    }

    int events(int index) {
        return events[index];
    }

    /** Forgets the first ones, which have been served. */
    void remove(int served) {
        count -= served;
        System.arraycopy(tokens, served, tokens, 0, count);
        System.arraycopy(events, served, events, 0, count);
    }
}
