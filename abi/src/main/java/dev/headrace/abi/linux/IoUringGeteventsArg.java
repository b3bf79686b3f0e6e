package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The argument of io_uring_enter(2) with IORING_ENTER_EXT_ARG: signal mask and time-out of the wait.
 *
 * <pre>{@code
 *  0 __u64 sigmask
 *  8 __u32 sigmask_sz
 * 12 __u32 min_wait_usec   (padding before 6.12)
 * 16 __u64 ts              address of a struct __kernel_timespec, 0: no time-out
 * 24 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.11")
@CStruct(value = "struct io_uring_getevents_arg", header = "linux/io_uring.h")
public final class IoUringGeteventsArg {
    /** Bytes of the struct. */
    public static final int SIZE = 24;

    @CField("sigmask")
    public static final int SIGMASK = 0;

    @CField("sigmask_sz")
    public static final int SIGMASK_SZ = 8;

    @CField("min_wait_usec")
    public static final int MIN_WAIT_USEC = 12;

    @CField("ts")
    public static final int TS = 16;

    private IoUringGeteventsArg() {}

    public static long sigmask(long address) {
        return Memory.getLong(address + SIGMASK);
    }

    public static void sigmask(long address, long value) {
        Memory.putLong(address + SIGMASK, value);
    }

    public static int sigmaskSz(long address) {
        return Memory.getInt(address + SIGMASK_SZ);
    }

    public static void sigmaskSz(long address, int value) {
        Memory.putInt(address + SIGMASK_SZ, value);
    }

    public static int minWaitUsec(long address) {
        return Memory.getInt(address + MIN_WAIT_USEC);
    }

    public static void minWaitUsec(long address, int value) {
        Memory.putInt(address + MIN_WAIT_USEC, value);
    }

    public static long ts(long address) {
        return Memory.getLong(address + TS);
    }

    public static void ts(long address, long value) {
        Memory.putLong(address + TS, value);
    }
}
