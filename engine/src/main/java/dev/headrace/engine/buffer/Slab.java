package dev.headrace.engine.buffer;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.SystemCalls;

/**
 * One mapping of anonymous memory, cut into slices of equal size.
 *
 * <p>The mapping is lazy: a slice costs memory once it has been touched. Transparent huge pages are asked for, because
 * a ring of buffers walks through the whole slab and would otherwise miss the TLB on each message. Slices do not start
 * at multiples of a power of two: with such a stride the first lines of all slices would compete for the same few
 * cache sets.
 *
 * <p>Thread: any; the slab itself is immutable. Owns: the mapping, until {@link #close}.
 */
final class Slab {
    private static final int HUGE_PAGE_BYTES = 2 << 20;
    private static final int CACHE_LINE_BYTES = 64;
    /** An odd number of lines between two slices spreads their beginnings over all cache sets. */
    private static final int PADDING_BYTES = 3 * CACHE_LINE_BYTES;

    private final long address;
    private final long mappedBytes;
    private final int strideBytes;

    private Slab(long address, long mappedBytes, int strideBytes) {
        this.address = address;
        this.mappedBytes = mappedBytes;
        this.strideBytes = strideBytes;
    }

    /**
     * Maps room for {@code count} slices.
     *
     * @throws OutOfMemoryError when the kernel refuses the mapping
     */
    static Slab map(int count, int sliceBytes) {
        int strideBytes = align(sliceBytes, CACHE_LINE_BYTES) + PADDING_BYTES;
        long bytes = align((long) count * strideBytes, HUGE_PAGE_BYTES);
        SystemCalls calls = new SystemCalls();
        long address =
                calls.mmap(0, bytes, Mman.PROT_READ | Mman.PROT_WRITE, Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS, -1, 0);
        if (address < 0 && address > -4096) {
            throw new OutOfMemoryError(
                    "cannot map " + bytes + " bytes of buffer memory: " + Errno.describe((int) -address));
        }
        // Advice only: a kernel without huge pages answers EINVAL, and the slab works all the same.
        calls.madvise(address, bytes, Mman.MADV_HUGEPAGE);
        return new Slab(address, bytes, strideBytes);
    }

    long address(int index) {
        return address + (long) index * strideBytes;
    }

    long mappedBytes() {
        return mappedBytes;
    }

    /** Overwrites the beginning of a slice, so that a use after release shows; with assertions on. */
    void poison(int index, int sliceBytes) {
        long begin = address(index);
        for (int i = 0; i < Math.min(sliceBytes, CACHE_LINE_BYTES); i++) {
            Memory.putByte(begin + i, (byte) 0xDB);
        }
    }

    void close() {
        new SystemCalls().munmap(address, mappedBytes);
    }

    private static int align(int value, int to) {
        return (value + to - 1) / to * to;
    }

    private static long align(long value, int to) {
        return (value + to - 1) / to * to;
    }
}
