package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The argument of IORING_REGISTER_FILES2 and IORING_REGISTER_BUFFERS2.
 *
 * <pre>{@code
 *  0 __u32 nr
 *  4 __u32 flags       IORING_RSRC_REGISTER_SPARSE
 *  8 __u64 resv2
 * 16 __u64 data
 * 24 __u64 tags
 * 32 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.13")
@CStruct(value = "struct io_uring_rsrc_register", header = "linux/io_uring.h")
public final class IoUringRsrcRegister {
    /** Bytes of the struct. */
    public static final int SIZE = 32;

    @CField("nr")
    public static final int NR = 0;

    @CField("flags")
    public static final int FLAGS = 4;

    @CField("data")
    public static final int DATA = 16;

    @CField("tags")
    public static final int TAGS = 24;

    private IoUringRsrcRegister() {}

    public static int nr(long address) {
        return Memory.getInt(address + NR);
    }

    public static void nr(long address, int value) {
        Memory.putInt(address + NR, value);
    }

    public static int flags(long address) {
        return Memory.getInt(address + FLAGS);
    }

    public static void flags(long address, int value) {
        Memory.putInt(address + FLAGS, value);
    }

    public static long data(long address) {
        return Memory.getLong(address + DATA);
    }

    public static void data(long address, long value) {
        Memory.putLong(address + DATA, value);
    }

    public static long tags(long address) {
        return Memory.getLong(address + TAGS);
    }

    public static void tags(long address, long value) {
        Memory.putLong(address + TAGS, value);
    }
}
