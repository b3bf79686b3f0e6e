package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringCqe;
import dev.headrace.abi.linux.IoUringSqe;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A ring over plain memory: the test plays the kernel. */
final class MemoryRing implements Ring {
    /** What the kernel does in one call of enter; returns the call's answer. */
    interface Kernel {
        int enter(int toSubmit, int minComplete, long waitNanos);
    }

    /** A submission as the kernel read it. */
    record Submission(int opcode, int flags, int fd, int length, long address, int opFlags, long userData) {}

    /** A completion that found no room in the queue. */
    private record Completion(long userData, int result, int flags) {}

    private final Arena arena = Arena.ofConfined();
    private final int submissionEntries;
    private final int completionEntries;
    private final long counters;
    private final long sqes;
    private final long cqes;
    private final List<Submission> submitted = new ArrayList<>();
    private final Deque<Completion> overflowed = new ArrayDeque<>();
    private Kernel kernel = (toSubmit, minComplete, waitNanos) -> consume(toSubmit);
    private int enters;
    private boolean lastEnterWaited;

    /** Both queues begin at that position, for instance right before their counters wrap. */
    MemoryRing(int submissionEntries, int completionEntries, int start) {
        this.submissionEntries = submissionEntries;
        this.completionEntries = completionEntries;
        this.counters = arena.allocate(64, 8).address();
        this.sqes =
                arena.allocate((long) submissionEntries * IoUringSqe.SIZE, 64).address();
        this.cqes =
                arena.allocate((long) completionEntries * IoUringCqe.SIZE, 64).address();
        for (int i = 0; i < 4; i++) {
            Memory.putInt(counters + 4L * i, start);
        }
    }

    void kernel(Kernel value) {
        kernel = value;
    }

    /** Takes so many submissions off the queue. */
    int consume(int count) {
        int head = Memory.getInt(submissionHead());
        for (int i = 0; i < count; i++) {
            long sqe = sqes + (long) (head++ & (submissionEntries - 1)) * IoUringSqe.SIZE;
            submitted.add(new Submission(
                    IoUringSqe.opcode(sqe),
                    IoUringSqe.flags(sqe),
                    IoUringSqe.fd(sqe),
                    IoUringSqe.len(sqe),
                    IoUringSqe.addr(sqe),
                    IoUringSqe.opFlags(sqe),
                    IoUringSqe.userData(sqe)));
        }
        Memory.putIntRelease(submissionHead(), head);
        return count;
    }

    /** Completes; what finds no room is kept aside, as the kernel does. */
    void complete(long userData, int result, int flags) {
        int tail = Memory.getInt(completionTail());
        if (!overflowed.isEmpty() || tail - Memory.getInt(completionHead()) == completionEntries) {
            overflowed.add(new Completion(userData, result, flags));
            Memory.putInt(submissionFlags(), IoUring.IORING_SQ_CQ_OVERFLOW);
            return;
        }
        long cqe = cqes + (long) (tail & (completionEntries - 1)) * IoUringCqe.SIZE;
        Memory.putLong(cqe, userData);
        Memory.putInt(cqe + 8, result);
        Memory.putInt(cqe + 12, flags);
        Memory.putIntRelease(completionTail(), tail + 1);
    }

    /** What an enter with GETEVENTS does: moves in what was kept aside, as far as there is room. */
    void moveOverflowIn() {
        int room = completionEntries - (Memory.getInt(completionTail()) - Memory.getInt(completionHead()));
        List<Completion> moved = new ArrayList<>();
        while (room-- > 0 && !overflowed.isEmpty()) {
            moved.add(overflowed.remove());
        }
        List<Completion> rest = new ArrayList<>(overflowed);
        overflowed.clear();
        moved.forEach(c -> complete(c.userData(), c.result(), c.flags()));
        overflowed.addAll(rest);
        Memory.putInt(submissionFlags(), rest.isEmpty() ? 0 : IoUring.IORING_SQ_CQ_OVERFLOW);
    }

    /** All submissions that the kernel has consumed so far. */
    List<Submission> submitted() {
        return submitted;
    }

    int enters() {
        return enters;
    }

    boolean lastEnterWaited() {
        return lastEnterWaited;
    }

    @Override
    public int enter(int toSubmit, int minComplete, long waitNanos) {
        enters++;
        lastEnterWaited = minComplete > 0;
        moveOverflowIn();
        return kernel.enter(toSubmit, minComplete, waitNanos);
    }

    @Override
    public int register(int opcode, long argument, int count) {
        return 0;
    }

    @Override
    public int descriptor() {
        return -1;
    }

    @Override
    public int submissionEntries() {
        return submissionEntries;
    }

    @Override
    public int completionEntries() {
        return completionEntries;
    }

    @Override
    public long submissionHead() {
        return counters;
    }

    @Override
    public long submissionTail() {
        return counters + 4;
    }

    @Override
    public long completionHead() {
        return counters + 8;
    }

    @Override
    public long completionTail() {
        return counters + 12;
    }

    @Override
    public long submissionFlags() {
        return counters + 16;
    }

    @Override
    public long submissionArray() {
        return sqes;
    }

    @Override
    public long completionArray() {
        return cqes;
    }

    @Override
    public void close() {
        arena.close();
    }
}
