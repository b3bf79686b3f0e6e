package dev.headrace.abi.check;

import static dev.headrace.abi.linux.IoUring.IORING_ENTER_EXT_ARG;
import static dev.headrace.abi.linux.IoUring.IORING_ENTER_GETEVENTS;
import static dev.headrace.abi.linux.IoUring.IORING_REGISTER_ENABLE_RINGS;
import static dev.headrace.abi.linux.IoUring.IORING_REGISTER_MEM_REGION;
import static dev.headrace.abi.linux.IoUring.IORING_SETUP_R_DISABLED;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.SystemCalls;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Proofs of the flags of io_uring_enter(2). */
final class EnterProofs {
    private static final int TRIES = 3; // timing on a busy machine
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final long REGION_BYTES = 64 * 1024; // the largest page of both architectures
    private static final int WAIT_ARGUMENT_BYTES = 64; // struct io_uring_reg_wait

    private final SystemCalls calls;

    EnterProofs(SystemCalls calls) {
        this.calls = calls;
    }

    Map<String, Proof> byName() {
        return Map.of(
                "IORING_ENTER_ABS_TIMER", this::absTimer,
                "IORING_ENTER_EXT_ARG_REG", this::extArgReg,
                "IORING_ENTER_NO_IOWAIT", this::noIowait);
    }

    /** A time-out that is a point in the past ends the wait at once; taken as a span it would last. */
    private boolean absTimer(long value) {
        try (ScratchRing ring = open(calls, 0)) {
            for (int i = 0; i < TRIES; i++) {
                long start = System.nanoTime();
                int result = ring.wait(IORING_ENTER_GETEVENTS | (int) value, WAIT_NANOS);
                if (result != -Errno.ETIME) {
                    return false;
                }
                if (System.nanoTime() - start < WAIT_NANOS / 2) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The argument is an offset in memory registered before: 0 is one, though as an address it could not be. */
    private boolean extArgReg(long value) {
        int protection = Mman.PROT_READ | Mman.PROT_WRITE;
        int flags = Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS | Mman.MAP_POPULATE;
        long region = calls.mmap(0, 2 * REGION_BYTES, protection, flags, -1, 0);
        try (ScratchRing ring = open(calls, IORING_SETUP_R_DISABLED)) {
            registerRegion(ring, region, region + REGION_BYTES);
            calls.ioUringRegister(ring.fd, IORING_REGISTER_ENABLE_RINGS, 0, 0);
            KernelTimespec.tvNsec(region, TimeUnit.MILLISECONDS.toNanos(1));
            Memory.putInt(region + KernelTimespec.SIZE + 4, 1); // flags: IORING_REG_WAIT_TS
            int all = IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | (int) value;
            return calls.ioUringEnter(ring.fd, 0, 1, all, 0, WAIT_ARGUMENT_BYTES) == -Errno.ETIME;
        } finally {
            calls.munmap(region, 2 * REGION_BYTES);
        }
    }

    /** A struct io_uring_mem_region_reg at {@code scratch}, and behind it the io_uring_region_desc that it points to. */
    private void registerRegion(ScratchRing ring, long region, long scratch) {
        long descriptor = scratch + 32;
        Memory.putLong(scratch, descriptor);
        Memory.putLong(scratch + 8, 1); // flags: IORING_MEM_REGION_REG_WAIT_ARG
        Memory.putLong(descriptor, region);
        Memory.putLong(descriptor + 8, REGION_BYTES);
        Memory.putInt(descriptor + 16, 1); // flags: IORING_MEM_REGION_TYPE_USER
        calls.ioUringRegister(ring.fd, IORING_REGISTER_MEM_REGION, scratch, 1);
    }

    /**
     * A thread that waits with a request pending counts as waiting for a disk, unless it says that it does not. So many
     * wait at once that the other programs' waiting makes no difference.
     */
    private boolean noIowait(long value) {
        for (int i = 0; i < TRIES; i++) {
            RingWaiters asked = new RingWaiters((int) value, WAIT_NANOS);
            long with = asked.leastBlocked();
            if (!asked.allTimedOut()) {
                return false;
            }
            long without = new RingWaiters(0, WAIT_NANOS).leastBlocked();
            if (with >= 0 && without - with > RingWaiters.THREADS / 2) {
                return true;
            }
        }
        return false;
    }

    private static ScratchRing open(SystemCalls calls, int flags) {
        ScratchRing ring = ScratchRing.open(calls, flags);
        if (ring == null) {
            throw new IllegalStateException("the kernel refuses a ring with flags " + flags);
        }
        return ring;
    }
}
