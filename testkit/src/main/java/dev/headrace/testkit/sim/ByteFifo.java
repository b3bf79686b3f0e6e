package dev.headrace.testkit.sim;

import dev.headrace.abi.Memory;

/** Bytes in order, first in, first out; grows as needed. */
final class ByteFifo {
    private byte[] bytes = new byte[1024];
    private int start;
    private int size;

    int size() {
        return size;
    }

    void add(byte[] from, int offset, int count) {
        reserve(count);
        System.arraycopy(from, offset, bytes, start + size, count);
        size += count;
    }

    private void reserve(int count) {
        if (start + size + count <= bytes.length) {
            return;
        }
        byte[] target = size + count <= bytes.length / 2 ? bytes : new byte[Math.max(bytes.length, (size + count) * 2)];
        System.arraycopy(bytes, start, target, 0, size);
        bytes = target;
        start = 0;
    }

    /** Moves so many bytes to memory. */
    void takeTo(long address, int count) {
        Memory.copy(bytes, start, address, count);
        skip(count);
    }

    byte[] take(int count) {
        byte[] taken = new byte[count];
        System.arraycopy(bytes, start, taken, 0, count);
        skip(count);
        return taken;
    }

    void skip(int count) {
        start += count;
        size -= count;
    }

    void clear() {
        size = 0;
    }
}
