package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The argument of IORING_REGISTER_PBUF_RING and IORING_UNREGISTER_PBUF_RING.
 *
 * <pre>{@code
 *  0 __u64 ring_addr
 *  8 __u32 ring_entries
 * 12 __u16 bgid
 * 14 __u16 flags       (padding before 6.4)
 * 16 __u64 resv[3]
 * 40 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.19")
@CStruct(value = "struct io_uring_buf_reg", header = "linux/io_uring.h")
public final class IoUringBufReg {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    @CField("ring_addr")
    public static final int RING_ADDR = 0;

    @CField("ring_entries")
    public static final int RING_ENTRIES = 8;

    @CField("bgid")
    public static final int BGID = 12;

    @CField("flags")
    public static final int FLAGS = 14;

    private IoUringBufReg() {}

    public static long ringAddr(long address) {
        return Memory.getLong(address + RING_ADDR);
    }

    public static void ringAddr(long address, long value) {
        Memory.putLong(address + RING_ADDR, value);
    }

    public static int ringEntries(long address) {
        return Memory.getInt(address + RING_ENTRIES);
    }

    public static void ringEntries(long address, int value) {
        Memory.putInt(address + RING_ENTRIES, value);
    }

    public static int bgid(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + BGID));
    }

    public static void bgid(long address, int value) {
        Memory.putShort(address + BGID, (short) value);
    }

    public static int flags(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + FLAGS));
    }

    public static void flags(long address, int value) {
        Memory.putShort(address + FLAGS, (short) value);
    }
}
