package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringCqe;

/**
 * The consumer's side of the completion queue: {@code for (n = available(); n > 0; n--, next())} then {@link #release}.
 *
 * <p>Thread: the ring's. Owns: nothing.
 */
final class CompletionQueue {
    private final long head;
    private final long tail;
    private final long flags;
    private final long array;
    private final int mask;
    private int nextHead;
    private long current;

    CompletionQueue(Ring ring) {
        this.head = ring.completionHead();
        this.tail = ring.completionTail();
        this.flags = ring.submissionFlags();
        this.array = ring.completionArray();
        this.mask = ring.completionEntries() - 1;
        this.nextHead = Memory.getInt(head);
    }

    int available() {
        return Memory.getIntAcquire(tail) - nextHead;
    }

    /** Moves to the next entry. */
    void next() {
        current = array + (long) (nextHead++ & mask) * IoUringCqe.SIZE;
    }

    long userData() {
        return IoUringCqe.userData(current);
    }

    int result() {
        return IoUringCqe.res(current);
    }

    int flags() {
        return IoUringCqe.flags(current);
    }

    /** Gives the entries that were read back to the kernel. */
    void release() {
        Memory.putIntRelease(head, nextHead);
    }

    /** Whether the kernel keeps completions aside that found no room; entering with GETEVENTS moves them in. */
    boolean overflowed() {
        return (Memory.getIntAcquire(flags) & IoUring.IORING_SQ_CQ_OVERFLOW) != 0;
    }
}
