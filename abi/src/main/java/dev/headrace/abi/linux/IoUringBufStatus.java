package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The argument of IORING_REGISTER_PBUF_STATUS: how far the kernel has consumed a ring of provided buffers.
 *
 * <pre>{@code
 *  0 __u32 buf_group
 *  4 __u32 head
 *  8 __u32 resv[8]
 * 40 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("6.8")
@CStruct(value = "struct io_uring_buf_status", header = "linux/io_uring.h")
public final class IoUringBufStatus {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    @CField("buf_group")
    public static final int BUF_GROUP = 0;

    @CField("head")
    public static final int HEAD = 4;

    private IoUringBufStatus() {}

    public static int bufGroup(long address) {
        return Memory.getInt(address + BUF_GROUP);
    }

    public static void bufGroup(long address, int value) {
        Memory.putInt(address + BUF_GROUP, value);
    }

    public static int head(long address) {
        return Memory.getInt(address + HEAD);
    }

    public static void head(long address, int value) {
        Memory.putInt(address + HEAD, value);
    }
}
