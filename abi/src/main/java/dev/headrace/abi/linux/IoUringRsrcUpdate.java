package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The argument of IORING_REGISTER_RING_FDS and of updates of registered files.
 *
 * <pre>{@code
 *  0 __u32 offset
 *  4 __u32 resv
 *  8 __u64 data
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.13")
@CStruct(value = "struct io_uring_rsrc_update", header = "linux/io_uring.h")
public final class IoUringRsrcUpdate {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("offset")
    public static final int OFFSET = 0;

    @CField("data")
    public static final int DATA = 8;

    private IoUringRsrcUpdate() {}

    public static int offset(long address) {
        return Memory.getInt(address + OFFSET);
    }

    public static void offset(long address, int value) {
        Memory.putInt(address + OFFSET, value);
    }

    public static long data(long address) {
        return Memory.getLong(address + DATA);
    }

    public static void data(long address, long value) {
        Memory.putLong(address + DATA, value);
    }
}
