package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * A completion queue entry: one answer of io_uring.
 *
 * <pre>{@code
 *  0 __u64 user_data
 *  8 __s32 res
 * 12 __u32 flags
 * 16 bytes (32 on a ring set up with IORING_SETUP_CQE32)
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.1")
@CStruct(value = "struct io_uring_cqe", header = "linux/io_uring.h")
public final class IoUringCqe {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("user_data")
    public static final int USER_DATA = 0;

    @CField("res")
    public static final int RES = 8;

    @CField("flags")
    public static final int FLAGS = 12;

    private IoUringCqe() {}

    public static long userData(long address) {
        return Memory.getLong(address + USER_DATA);
    }

    public static void userData(long address, long value) {
        Memory.putLong(address + USER_DATA, value);
    }

    public static int res(long address) {
        return Memory.getInt(address + RES);
    }

    public static void res(long address, int value) {
        Memory.putInt(address + RES, value);
    }

    public static int flags(long address) {
        return Memory.getInt(address + FLAGS);
    }

    public static void flags(long address, int value) {
        Memory.putInt(address + FLAGS, value);
    }
}
