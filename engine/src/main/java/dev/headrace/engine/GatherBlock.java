package dev.headrace.engine;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Iovec;
import dev.headrace.abi.linux.Msghdr;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * A {@code struct msghdr} with its array of {@code struct iovec}: where the parts of one gathering send are.
 *
 * <p>Thread: the loop's; the kernel's while the send is in flight. Owns: its memory, for the life of the loop.
 */
final class GatherBlock {
    /** Parts per send: 64 slices of 4 KiB fill a usual socket buffer. */
    static final int PARTS_MAX = 64;

    private final long message;
    private final long vector;
    private int parts;
    private int totalBytes;

    @Nullable
    GatherBlock next;

    GatherBlock(Arena arena) {
        this.message = arena.allocate(Msghdr.SIZE, 8).address();
        this.vector = arena.allocate((long) PARTS_MAX * Iovec.SIZE, 8).address();
        Memory.fill(message, Msghdr.SIZE, (byte) 0);
    }

    GatherBlock begin() {
        parts = 0;
        totalBytes = 0;
        return this;
    }

    void add(long address, int bytes) {
        long entry = vector + (long) parts * Iovec.SIZE;
        Iovec.iovBase(entry, address);
        Iovec.iovLen(entry, bytes);
        parts++;
        totalBytes += bytes;
    }

    int parts() {
        return parts;
    }

    int totalBytes() {
        return totalBytes;
    }

    /** Completes the header and tells its address. */
    long header() {
        Msghdr.msgIov(message, vector);
        Msghdr.msgIovlen(message, parts);
        return message;
    }
}
