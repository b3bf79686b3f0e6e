package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUringSqe;

/**
 * The producer's side of the submission queue.
 *
 * <p>Thread: the ring's. Owns: nothing.
 */
final class SubmissionQueue {
    private final long head;
    private final long tail;
    private final long array;
    private final int entries;
    private final int mask;
    private int nextTail;

    SubmissionQueue(Ring ring) {
        this.head = ring.submissionHead();
        this.tail = ring.submissionTail();
        this.array = ring.submissionArray();
        this.entries = ring.submissionEntries();
        this.mask = entries - 1;
        this.nextTail = Memory.getInt(tail);
    }

    boolean full() {
        return nextTail - Memory.getIntAcquire(head) == entries;
    }

    /** Takes the next entry, all zero; the queue must not be full. The kernel sees it after {@link #publish}. */
    long take() {
        long sqe = array + (long) (nextTail & mask) * IoUringSqe.SIZE;
        nextTail++;
        // A field left over from an earlier request can make the kernel refuse this one (POLL_ADD with buf_group).
        IoUringSqe.clear(sqe);
        return sqe;
    }

    /** The counter of the entry taken last. */
    int position() {
        return nextTail - 1;
    }

    /** Shows the kernel the entries taken so far; tells how many it has not consumed. */
    int publish() {
        Memory.putIntRelease(tail, nextTail);
        return nextTail - Memory.getIntAcquire(head);
    }

    /** The counter up to which the kernel has consumed entries. */
    int consumed() {
        return Memory.getIntAcquire(head);
    }

    /** Whether there are entries that the kernel has not consumed. */
    boolean unconsumed() {
        return nextTail != consumed();
    }

    int entries() {
        return entries;
    }
}
