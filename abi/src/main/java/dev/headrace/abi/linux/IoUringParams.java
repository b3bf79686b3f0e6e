package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * What io_uring_setup(2) is asked for, and what it answers: sizes, features and the offsets of the queues in the
 * mapping.
 *
 * <pre>{@code
 *   0 __u32 sq_entries       4 __u32 cq_entries      8 __u32 flags
 *  12 __u32 sq_thread_cpu   16 __u32 sq_thread_idle
 *  20 __u32 features        24 __u32 wq_fd          28 __u32 resv[3]
 *  40 struct io_sqring_offsets sq_off
 *  80 struct io_cqring_offsets cq_off
 * 120 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.1")
@CStruct(value = "struct io_uring_params", header = "linux/io_uring.h")
public final class IoUringParams {
    /** Bytes of the struct. */
    public static final int SIZE = 120;

    @CField("sq_entries")
    public static final int SQ_ENTRIES = 0;

    @CField("cq_entries")
    public static final int CQ_ENTRIES = 4;

    @CField("flags")
    public static final int FLAGS = 8;

    @CField("sq_thread_cpu")
    public static final int SQ_THREAD_CPU = 12;

    @CField("sq_thread_idle")
    public static final int SQ_THREAD_IDLE = 16;

    @CField("features")
    public static final int FEATURES = 20;

    @CField("wq_fd")
    public static final int WQ_FD = 24;

    @CField("sq_off")
    public static final int SQ_OFF = 40;

    @CField("cq_off")
    public static final int CQ_OFF = 80;

    private IoUringParams() {}

    public static int sqEntries(long address) {
        return Memory.getInt(address + SQ_ENTRIES);
    }

    public static void sqEntries(long address, int value) {
        Memory.putInt(address + SQ_ENTRIES, value);
    }

    public static int cqEntries(long address) {
        return Memory.getInt(address + CQ_ENTRIES);
    }

    public static void cqEntries(long address, int value) {
        Memory.putInt(address + CQ_ENTRIES, value);
    }

    public static int flags(long address) {
        return Memory.getInt(address + FLAGS);
    }

    public static void flags(long address, int value) {
        Memory.putInt(address + FLAGS, value);
    }

    public static int sqThreadCpu(long address) {
        return Memory.getInt(address + SQ_THREAD_CPU);
    }

    public static void sqThreadCpu(long address, int value) {
        Memory.putInt(address + SQ_THREAD_CPU, value);
    }

    public static int sqThreadIdle(long address) {
        return Memory.getInt(address + SQ_THREAD_IDLE);
    }

    public static void sqThreadIdle(long address, int value) {
        Memory.putInt(address + SQ_THREAD_IDLE, value);
    }

    public static int features(long address) {
        return Memory.getInt(address + FEATURES);
    }

    public static void features(long address, int value) {
        Memory.putInt(address + FEATURES, value);
    }

    public static int wqFd(long address) {
        return Memory.getInt(address + WQ_FD);
    }

    public static void wqFd(long address, int value) {
        Memory.putInt(address + WQ_FD, value);
    }

    /** The address of the {@link IoSqringOffsets} inside. */
    public static long sqOff(long address) {
        return address + SQ_OFF;
    }

    /** The address of the {@link IoCqringOffsets} inside. */
    public static long cqOff(long address) {
        return address + CQ_OFF;
    }
}
