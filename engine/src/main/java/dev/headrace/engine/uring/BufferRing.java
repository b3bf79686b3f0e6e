package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringBuf;
import dev.headrace.abi.linux.IoUringBufReg;
import dev.headrace.abi.linux.IoUringBufRing;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import java.lang.foreign.Arena;

/**
 * The ring of provided buffers (Linux 5.19): slices that the kernel may receive into, taken in order.
 *
 * <p>Thread: the ring's. Owns: the mapping of the ring, and each published slice until it is named.
 */
final class BufferRing implements BufferSupply {
    private final SystemCalls calls;
    private final Ring ring;
    private final BufferPool pool;
    private final int entries;
    private final long mappedBytes;
    private final long array;
    private final int sizeBytes;
    private int tail;
    private int published;

    private BufferRing(SystemCalls calls, Ring ring, BufferPool pool, int entries, long mappedBytes, long array) {
        this.calls = calls;
        this.ring = ring;
        this.pool = pool;
        this.entries = entries;
        this.mappedBytes = mappedBytes;
        this.array = array;
        this.sizeBytes = pool.sizeBytes();
    }

    /**
     * Registers a ring of buffers.
     *
     * @param entriesMax rounded down to a power of two
     * @throws RingRefusedException when the kernel refuses, with its reason
     */
    static BufferRing register(SystemCalls calls, Ring ring, BufferPool pool, int entriesMax)
            throws RingRefusedException {
        return LockedMemory.patiently(() -> registerOnce(calls, ring, pool, entriesMax));
    }

    private static BufferRing registerOnce(SystemCalls calls, Ring ring, BufferPool pool, int entriesMax)
            throws RingRefusedException {
        int entries = Integer.highestOneBit(Math.clamp(entriesMax, 1, 1 << 15));
        long bytes = Math.max(4096, (long) entries * IoUringBuf.SIZE);
        long array =
                calls.mmap(0, bytes, Mman.PROT_READ | Mman.PROT_WRITE, Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS, -1, 0);
        if (array < 0 && array > -4096) {
            throw new RingRefusedException("mapping a ring of provided buffers", (int) -array);
        }
        try (Arena arena = Arena.ofConfined()) {
            long registration = arena.allocate(IoUringBufReg.SIZE, 8).address();
            IoUringBufReg.ringAddr(registration, array);
            IoUringBufReg.ringEntries(registration, entries);
            IoUringBufReg.bgid(registration, GROUP);
            int result = ring.register(IoUring.IORING_REGISTER_PBUF_RING, registration, 1);
            if (result < 0) {
                calls.munmap(array, bytes);
                throw new RingRefusedException("ring of provided buffers (Linux 5.19)", -result);
            }
        }
        return new BufferRing(calls, ring, pool, entries, bytes, array);
    }

    @Override
    public void topUp(SubmissionQueue submissions) {
        int before = published;
        while (published < entries) {
            int id = pool.lend();
            if (id < 0) {
                break;
            }
            long entry = array + (long) (tail & (entries - 1)) * IoUringBuf.SIZE;
            IoUringBuf.addr(entry, pool.address(id));
            IoUringBuf.len(entry, sizeBytes);
            IoUringBuf.bid(entry, id);
            tail++;
            published++;
        }
        if (published != before) {
            // The tail lies in the reserved field of the first entry; release: the kernel reads entries after it.
            Memory.putShortRelease(array + IoUringBufRing.TAIL, (short) tail);
        }
    }

    @Override
    public void named(int id) {
        published--;
        pool.recovered();
    }

    /** Takes the ring away from the kernel; the slices it still held go back to the pool. No receive may be armed. */
    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            long registration = arena.allocate(IoUringBufReg.SIZE, 8).address();
            IoUringBufReg.bgid(registration, GROUP);
            int result = ring.register(IoUring.IORING_UNREGISTER_PBUF_RING, registration, 1);
            if (result < 0) {
                // The kernel may still use the memory: leaving it mapped is the safe side.
                return;
            }
        }
        for (int i = tail - published; i != tail; i++) {
            pool.recovered();
            pool.give(IoUringBuf.bid(array + (long) (i & (entries - 1)) * IoUringBuf.SIZE));
        }
        published = 0;
        calls.munmap(array, mappedBytes);
    }
}
