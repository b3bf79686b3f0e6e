package dev.headrace.engine.blocking;

import java.util.Arrays;

/**
 * Bytes in order of arrival, in a circle that grows to what is asked of it and no further.
 *
 * <p>Thread: whoever holds the lock of the owner. Owns: its array.
 */
final class ByteQueue {
    private static final int FIRST_BYTES = 1 << 10;

    private byte[] bytes = {};
    /** Where the first byte lies; capacities are powers of two. */
    private int head;

    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Room for so many more bytes; where they go in one piece, at {@link #tail}, is up to {@link #contiguousRoom}. */
    void reserve(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            byte[] larger = new byte[Math.max(FIRST_BYTES, Integer.highestOneBit(Math.max(1, needed - 1)) << 1)];
            int part = Math.min(size, bytes.length - head);
            System.arraycopy(bytes, head, larger, 0, part);
            System.arraycopy(bytes, 0, larger, part, size - part);
            bytes = larger;
            head = 0;
        }
    }

    void add(byte[] from, int offset, int length) {
        reserve(length);
        int done = 0;
        while (done < length) {
            int part = Math.min(length - done, contiguousRoom());
            System.arraycopy(from, offset + done, bytes, tail(), part);
            added(part);
            done += part;
        }
    }

    /** Takes up to so many bytes out; tells how many. */
    int take(byte[] to, int offset, int length) {
        int wanted = Math.min(length, size);
        int done = 0;
        while (done < wanted) {
            int part = Math.min(wanted - done, contiguous());
            System.arraycopy(bytes, head, to, offset + done, part);
            taken(part);
            done += part;
        }
        return done;
    }

    byte[] array() {
        return bytes;
    }

    int head() {
        return head;
    }

    int tail() {
        return (head + size) & (bytes.length - 1);
    }

    /** How many bytes lie in one piece from the head on. */
    int contiguous() {
        return Math.min(size, bytes.length - head);
    }

    /** How many bytes fit in one piece from the tail on. */
    int contiguousRoom() {
        return Math.min(bytes.length - size, bytes.length - tail());
    }

    /** Bytes were written at the tail. */
    void added(int count) {
        assert count >= 0 && count <= contiguousRoom();
        size += count;
    }

    /** Bytes were taken from the head. */
    void taken(int count) {
        assert count >= 0 && count <= size;
        size -= count;
        head = size == 0 ? 0 : (head + count) & (bytes.length - 1);
    }

    void clear() {
        taken(size);
        bytes = Arrays.copyOf(bytes, 0);
    }
}
