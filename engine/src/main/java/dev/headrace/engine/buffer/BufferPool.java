package dev.headrace.engine.buffer;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The slices of one slab, as a stack of free ones: the slice given back last is taken first, while it is still in the
 * cache.
 *
 * <p>Thread: the loop's, except that a buffer released elsewhere comes back through the executor given here. Owns: the
 * slab.
 */
public final class BufferPool implements AutoCloseable {
    /** io_uring names a provided buffer by 16 bits. */
    public static final int COUNT_MAX = 1 << 16;

    private final Slab slab;
    private final int sizeBytes;
    private final Buffer[] buffers;
    private final int[] free;
    private int freeCount;
    private int lentCount;
    private final Executor owner;
    private final Thread ownerThread;

    /**
     * Maps a slab of {@code count} slices of {@code sizeBytes} each.
     *
     * @param owner runs a task on the loop's thread
     * @param ownerThread the loop's thread
     * @throws IllegalArgumentException when count is not in 1..65536 or sizeBytes is not positive
     */
    public BufferPool(int count, int sizeBytes, Executor owner, Thread ownerThread) {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException("buffer count must be in 1.." + COUNT_MAX + ", not " + count);
        }
        if (sizeBytes < 1) {
            throw new IllegalArgumentException("buffer size must be positive, not " + sizeBytes);
        }
        this.slab = Slab.map(count, sizeBytes);
        this.sizeBytes = sizeBytes;
        this.owner = owner;
        this.ownerThread = ownerThread;
        this.buffers = new Buffer[count];
        this.free = new int[count];
        for (int id = 0; id < count; id++) {
            buffers[id] = new Buffer(this, id, slab.address(id));
            free[count - 1 - id] = id;
        }
        this.freeCount = count;
    }

    /** Takes a free slice: its id, or -1 when all are out. */
    public int take() {
        return freeCount == 0 ? -1 : free[--freeCount];
    }

    /** Gives a slice back that was taken and not leased. */
    public void give(int id) {
        assert freeCount < free.length : "slice given back twice";
        assert poison(id);
        free[freeCount++] = id;
    }

    /** Makes a taken slice a buffer of {@code length} bytes with one lease. */
    public Buffer lease(int id, int length) {
        Buffer buffer = buffers[id];
        buffer.begin(length);
        return buffer;
    }

    public long address(int id) {
        return slab.address(id);
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    public int count() {
        return buffers.length;
    }

    public int freeCount() {
        return freeCount;
    }

    /** Takes a free slice for the kernel to receive into at a time of its choosing; -1 when all are out. */
    public int lend() {
        int id = take();
        if (id >= 0) {
            lentCount++;
        }
        return id;
    }

    /** The kernel has used a lent slice, or given it up: it counts as taken again. */
    public void recovered() {
        assert lentCount > 0;
        lentCount--;
    }

    /** How many slices a receive could use: the free ones and those that the kernel holds for the purpose. */
    public int receivable() {
        return freeCount + lentCount;
    }

    /** Bytes of address space mapped for the slices. */
    public long mappedBytes() {
        return slab.mappedBytes();
    }

    boolean onOwnerThread() {
        return Thread.currentThread() == ownerThread;
    }

    void onOwnerThread(Runnable task) {
        try {
            owner.execute(task);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and left the slab mapped for the sake of this lease.
        }
    }

    private boolean poison(int id) {
        slab.poison(id, sizeBytes);
        return true;
    }

    /**
     * Unmaps the slab when every slice is back. Slices that are still leased or still the kernel's keep it mapped: memory
     * that somebody may touch is never taken away.
     *
     */
    @Override
    public void close() {
        if (freeCount == buffers.length) {
            slab.close();
        }
    }
}
