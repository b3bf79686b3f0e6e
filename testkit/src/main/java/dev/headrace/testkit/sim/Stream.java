package dev.headrace.testkit.sim;

import dev.headrace.engine.buffer.Buffer;

/**
 * The content of one direction of a connection, as a function of the offset: both ends know it without keeping it.
 *
 * @param number tells streams apart
 */
record Stream(int number) {
    byte at(long offset) {
        // Mixed twice: a multiple of the golden ratio alone comes back to nearly itself after 987 or 28657 steps, and
        // so many
        // lost bytes would be missed.
        long mixed = (offset + 1) * 0x9e3779b97f4a7c15L + (long) number * 0xc2b2ae3d27d4eb4fL;
        mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
        return (byte) (mixed >>> 56);
    }

    byte[] bytes(long offset, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = at(offset + i);
        }
        return bytes;
    }

    void require(long offset, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != at(offset + i)) {
                throw wrong(offset + i);
            }
        }
    }

    void require(long offset, Buffer buffer) {
        for (int i = 0; i < buffer.length(); i++) {
            if (buffer.get(i) != at(offset + i)) {
                throw wrong(offset + i);
            }
        }
    }

    private Violation wrong(long offset) {
        return new Violation(Violation.Rule.BYTES, "stream " + number + " has a wrong byte at " + offset);
    }
}
