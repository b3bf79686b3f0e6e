package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The head of a ring of provided buffers: its tail lies in the reserved field of entry 0. The tail must be published
 * with release order after the entries, so {@link #tail(long, int)} does that.
 *
 * <pre>{@code
 *  0 __u64 resv1
 *  8 __u32 resv2
 * 12 __u16 resv3
 * 14 __u16 tail
 *  0 struct io_uring_buf bufs[]
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.19")
@CStruct(value = "struct io_uring_buf_ring", header = "linux/io_uring.h")
public final class IoUringBufRing {
    /** Bytes of the head, which is entry 0 as well. */
    public static final int SIZE = 16;

    @CField("tail")
    public static final int TAIL = 14;

    @CField("bufs")
    public static final int BUFS = 0;

    private IoUringBufRing() {}

    /** The tail as it was last published. */
    public static int tail(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + TAIL));
    }

    /** Publishes the entries before {@code value} to the kernel. */
    public static void tail(long address, int value) {
        Memory.putShortRelease(address + TAIL, (short) value);
    }

    /** The address of the {@link IoUringBuf} at {@code index}, which the caller has masked. */
    public static long buf(long address, int index) {
        return address + (long) index * IoUringBuf.SIZE;
    }
}
