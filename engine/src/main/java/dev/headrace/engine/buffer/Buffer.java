package dev.headrace.engine.buffer;

import dev.headrace.abi.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A lease on a slice of the loop's slab: bytes that came from a connection or are on their way to one.
 *
 * <p>A buffer handed to {@code received} is valid during that call. Whoever wants it longer calls {@link #retain} and
 * later {@link #release}; while buffers are retained the loop has fewer to receive into.
 *
 * <p>Thread: the loop's; {@link #release} and the reading methods of a retained buffer from any thread, provided the
 * buffer was handed over safely. Owns: nothing; the pool owns the memory.
 */
public final class Buffer {
    private final BufferPool pool;
    private final int id;
    private final long address;
    private int length;
    private int leases;

    Buffer(BufferPool pool, int id, long address) {
        this.pool = pool;
        this.id = id;
        this.address = address;
    }

    void begin(int length) {
        assert leases == 0 : "slice is leased already";
        assert length >= 0 && length <= pool.sizeBytes();
        this.length = length;
        this.leases = 1;
    }

    /** The number of bytes in the buffer. */
    public int length() {
        return length;
    }

    /** The byte at {@code index}. */
    public byte get(int index) {
        return Memory.getByte(address + Objects.checkIndex(index, length));
    }

    /** Four bytes from {@code index} on, in the machine's byte order; no alignment is needed. */
    public int getInt(int index) {
        return Memory.getInt(address + Objects.checkFromIndexSize(index, Integer.BYTES, length));
    }

    /** Eight bytes from {@code index} on, in the machine's byte order; no alignment is needed. */
    public long getLong(int index) {
        return Memory.getLong(address + Objects.checkFromIndexSize(index, Long.BYTES, length));
    }

    /** Copies {@code count} bytes from {@code index} on into an array. */
    public void copyTo(int index, byte[] to, int offset, int count) {
        Objects.checkFromIndexSize(index, count, length);
        Objects.checkFromIndexSize(offset, count, to.length);
        Memory.copy(address + index, to, offset, count);
    }

    /** The bytes as a new array. */
    public byte[] toArray() {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return bytes;
    }

    /** A view of the bytes; it must not be used after the lease has ended. */
    public MemorySegment segment() {
        return Memory.segment(address, length);
    }

    /** Where the bytes begin; for drivers and those who bring their own reader. */
    public long address() {
        return address;
    }

    /** The end of the slice, which may lie behind the end of the bytes. */
    public long sliceEnd() {
        return address + pool.sizeBytes();
    }

    /** Whether the slice is one of that pool's. */
    public boolean isOf(BufferPool other) {
        return pool == other;
    }

    /** Whether nobody else holds the buffer. */
    public boolean heldOnce() {
        return leases == 1;
    }

    /**
     * Takes one more lease; each needs its own {@link #release}. Loop thread only.
     *
     * @throws IllegalStateException when the buffer is not leased any more, or on another thread
     */
    public Buffer retain() {
        if (!pool.onOwnerThread()) {
            throw new IllegalStateException("a buffer is retained on its own loop's thread, not on '"
                    + Thread.currentThread().getName() + "': retain it there, or copy its bytes");
        }
        if (leases == 0) {
            throw new IllegalStateException("buffer was released already: retain it during received()");
        }
        leases++;
        return this;
    }

    /**
     * Ends one lease; the last gives the slice back. From another thread than the loop's it takes effect in the loop's
     * next turn.
     *
     * @throws IllegalStateException when there is no lease left (on the loop's thread)
     */
    public void release() {
        if (!pool.onOwnerThread()) {
            pool.onOwnerThread(this::release);
            return;
        }
        if (leases == 0) {
            throw new IllegalStateException("buffer was released more often than it was retained");
        }
        if (--leases == 0) {
            pool.give(id);
        }
    }
}
