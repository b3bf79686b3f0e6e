package dev.headrace.abi.check;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoCqringOffsets;
import dev.headrace.abi.linux.IoSqringOffsets;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringCqe;
import dev.headrace.abi.linux.IoUringGeteventsArg;
import dev.headrace.abi.linux.IoUringParams;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * A small ring for trying single requests, one at a time.
 *
 * <p>Thread: the one that opened it.
 *
 * <p>Owns: the ring's descriptor and mappings.
 */
final class ScratchRing implements AutoCloseable {
    static final int ENTRIES = 2;

    private static final long SQES_BYTES = (long) ENTRIES * IoUringSqe.SIZE;

    final SystemCalls calls;
    final int fd;
    final int cqEntries;
    private final Arena arena = Arena.ofConfined();
    private final long params;
    private final long rings;
    private final long ringsBytes;
    private final long sqes;
    private int head;

    private ScratchRing(SystemCalls calls, int fd, long params) {
        this.calls = calls;
        this.fd = fd;
        this.params = arena.allocate(IoUringParams.SIZE, 8).address();
        Memory.copy(params, this.params, IoUringParams.SIZE);
        cqEntries = IoUringParams.cqEntries(params);
        long sqEnd = IoSqringOffsets.array(IoUringParams.sqOff(params)) + 4L * ENTRIES;
        long cqEnd = IoCqringOffsets.cqes(IoUringParams.cqOff(params)) + (long) cqEntries * IoUringCqe.SIZE;
        ringsBytes = Math.max(sqEnd, cqEnd);
        rings = map(ringsBytes, IoUring.IORING_OFF_SQ_RING);
        sqes = map(SQES_BYTES, IoUring.IORING_OFF_SQES);
    }

    /** Opens a ring, or gives null where the kernel refuses it. */
    static @Nullable ScratchRing open(SystemCalls calls, int flags) {
        try (Arena temporary = Arena.ofConfined()) {
            long params = temporary.allocate(IoUringParams.SIZE, 8).address();
            IoUringParams.flags(params, flags);
            int fd = calls.ioUringSetup(ENTRIES, params);
            return fd < 0 ? null : new ScratchRing(calls, fd, params);
        }
    }

    private long map(long bytes, long offset) {
        int protection = Mman.PROT_READ | Mman.PROT_WRITE;
        long address = calls.mmap(0, bytes, protection, Mman.MAP_SHARED | Mman.MAP_POPULATE, fd, offset);
        if (address < 0) {
            throw new IllegalStateException("mapping a ring: " + Errno.describe((int) address));
        }
        return address;
    }

    /** A cleared entry to fill; {@link #submit} hands it to the kernel. */
    long entry(int opcode) {
        IoUringSqe.clear(sqes);
        IoUringSqe.opcode(sqes, opcode);
        return sqes;
    }

    /** Submits the entry and gives what io_uring_enter(2) answered. */
    int submit() {
        long sqOff = IoUringParams.sqOff(params);
        long tail = rings + IoSqringOffsets.tail(sqOff);
        int next = Memory.getInt(tail);
        int mask = Memory.getInt(rings + IoSqringOffsets.ringMask(sqOff));
        Memory.putInt(rings + IoSqringOffsets.array(sqOff) + 4L * (next & mask), 0);
        Memory.putIntRelease(tail, next + 1);
        return calls.ioUringEnter(fd, 1, 0, 0, 0, 0);
    }

    /** Waits for a completion and gives the address of its entry, or 0 when there is none within the time. */
    long completion(int timeoutMillis) {
        if (!ready()) {
            wait(IoUring.IORING_ENTER_GETEVENTS, timeoutMillis * 1_000_000L);
        }
        if (!ready()) {
            return 0;
        }
        long cqOff = IoUringParams.cqOff(params);
        return rings + IoCqringOffsets.cqes(cqOff) + (long) (head & cqEntries - 1) * IoUringCqe.SIZE;
    }

    /** Gives back {@code slots} places of the completion queue. */
    void seen(int slots) {
        head += slots;
        Memory.putIntRelease(rings + IoCqringOffsets.head(IoUringParams.cqOff(params)), head);
    }

    /** Submits the entry, waits, and gives the result; {@code otherwise} when there is none within the time. */
    int result(int timeoutMillis, int otherwise) {
        int submitted = submit();
        if (submitted != 1) {
            return submitted;
        }
        long completion = completion(timeoutMillis);
        if (completion == 0) {
            return otherwise;
        }
        int result = IoUringCqe.res(completion);
        seen(1);
        return result;
    }

    /** Waits for one completion with {@code flags} beside IORING_ENTER_EXT_ARG. */
    int wait(int flags, long nanos) {
        try (Arena temporary = Arena.ofConfined()) {
            long time = temporary.allocate(KernelTimespec.SIZE, 8).address();
            KernelTimespec.tvSec(time, nanos / 1_000_000_000L);
            KernelTimespec.tvNsec(time, nanos % 1_000_000_000L);
            long argument = temporary.allocate(IoUringGeteventsArg.SIZE, 8).address();
            IoUringGeteventsArg.ts(argument, time);
            int all = flags | IoUring.IORING_ENTER_EXT_ARG;
            return calls.ioUringEnter(fd, 0, 1, all, argument, IoUringGeteventsArg.SIZE);
        }
    }

    private boolean ready() {
        return Memory.getIntAcquire(rings + IoCqringOffsets.tail(IoUringParams.cqOff(params))) != head;
    }

    @Override
    public void close() {
        calls.munmap(sqes, SQES_BYTES);
        calls.munmap(rings, ringsBytes);
        calls.close(fd);
        arena.close();
    }
}
