package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * An entry of a ring of provided buffers.
 *
 * <pre>{@code
 *  0 __u64 addr
 *  8 __u32 len
 * 12 __u16 bid
 * 14 __u16 resv      (in entry 0 the tail of the ring, see IoUringBufRing)
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.19")
@CStruct(value = "struct io_uring_buf", header = "linux/io_uring.h")
public final class IoUringBuf {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("addr")
    public static final int ADDR = 0;

    @CField("len")
    public static final int LEN = 8;

    @CField("bid")
    public static final int BID = 12;

    private IoUringBuf() {}

    public static long addr(long address) {
        return Memory.getLong(address + ADDR);
    }

    public static void addr(long address, long value) {
        Memory.putLong(address + ADDR, value);
    }

    public static int len(long address) {
        return Memory.getInt(address + LEN);
    }

    public static void len(long address, int value) {
        Memory.putInt(address + LEN, value);
    }

    public static int bid(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + BID));
    }

    public static void bid(long address, int value) {
        Memory.putShort(address + BID, (short) value);
    }
}
