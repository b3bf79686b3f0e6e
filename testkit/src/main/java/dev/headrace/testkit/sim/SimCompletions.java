package dev.headrace.testkit.sim;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringCqe;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;

/**
 * The completion queue of a simulated ring. What finds it full is kept aside, as the kernel does, with a flag for the user to
 * see; it is moved in when the ring is entered.
 *
 * <p>Thread: the simulation's. Owns: the memory of the queue.
 */
final class SimCompletions {
    private record Completion(long userData, int result, int flags) {}

    private final SimKernel kernel;
    private final int entries;
    private final long counters;
    private final long cqes;
    private final ArrayDeque<Completion> aside = new ArrayDeque<>();

    SimCompletions(SimKernel kernel, Arena arena, int entries) {
        this.kernel = kernel;
        this.entries = entries;
        this.counters = arena.allocate(16, 8).address();
        this.cqes = arena.allocate((long) entries * IoUringCqe.SIZE, 64).address();
    }

    long headAddress() {
        return counters;
    }

    long tailAddress() {
        return counters + 4;
    }

    long flagsAddress() {
        return counters + 8;
    }

    long arrayAddress() {
        return cqes;
    }

    int entries() {
        return entries;
    }

    int available() {
        return Memory.getInt(tailAddress()) - Memory.getIntAcquire(headAddress());
    }

    boolean full() {
        return available() == entries || !aside.isEmpty();
    }

    boolean overflowed() {
        return !aside.isEmpty();
    }

    void post(long userData, int result, int flags) {
        if (full()) {
            kernel.marks().met(Mark.COMPLETION_OVERFLOW);
            aside.add(new Completion(userData, result, flags));
            Memory.putInt(flagsAddress(), IoUring.IORING_SQ_CQ_OVERFLOW);
        } else {
            write(userData, result, flags);
        }
    }

    private void write(long userData, int result, int flags) {
        int tail = Memory.getInt(tailAddress());
        long cqe = cqes + (long) (tail & (entries - 1)) * IoUringCqe.SIZE;
        Memory.putLong(cqe, userData);
        Memory.putInt(cqe + 8, result);
        Memory.putInt(cqe + 12, flags);
        Memory.putIntRelease(tailAddress(), tail + 1);
    }

    /** Moves in what was kept aside, as far as there is room. */
    void moveIn() {
        while (!aside.isEmpty() && available() < entries) {
            Completion completion = aside.remove();
            write(completion.userData, completion.result, completion.flags);
        }
        Memory.putInt(flagsAddress(), aside.isEmpty() ? 0 : IoUring.IORING_SQ_CQ_OVERFLOW);
    }
}
