package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * Where the parts of the completion queue lie in its mapping, in bytes from the start.
 *
 * <pre>{@code
 *  0 __u32 head
 *  4 __u32 tail
 *  8 __u32 ring_mask
 * 12 __u32 ring_entries
 * 16 __u32 overflow
 * 20 __u32 cqes
 * 24 __u32 flags
 * 28 __u32 resv1
 * 32 __u64 user_addr
 * 40 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.1")
@CStruct(value = "struct io_cqring_offsets", header = "linux/io_uring.h")
public final class IoCqringOffsets {
    /** Bytes of the struct. */
    public static final int SIZE = 40;

    @CField("head")
    public static final int HEAD = 0;

    @CField("tail")
    public static final int TAIL = 4;

    @CField("ring_mask")
    public static final int RING_MASK = 8;

    @CField("ring_entries")
    public static final int RING_ENTRIES = 12;

    @CField("overflow")
    public static final int OVERFLOW = 16;

    @CField("cqes")
    public static final int CQES = 20;

    @CField("flags")
    public static final int FLAGS = 24;

    @CField("user_addr")
    public static final int USER_ADDR = 32;

    private IoCqringOffsets() {}

    public static int head(long address) {
        return Memory.getInt(address + HEAD);
    }

    public static void head(long address, int value) {
        Memory.putInt(address + HEAD, value);
    }

    public static int tail(long address) {
        return Memory.getInt(address + TAIL);
    }

    public static void tail(long address, int value) {
        Memory.putInt(address + TAIL, value);
    }

    public static int ringMask(long address) {
        return Memory.getInt(address + RING_MASK);
    }

    public static void ringMask(long address, int value) {
        Memory.putInt(address + RING_MASK, value);
    }

    public static int ringEntries(long address) {
        return Memory.getInt(address + RING_ENTRIES);
    }

    public static void ringEntries(long address, int value) {
        Memory.putInt(address + RING_ENTRIES, value);
    }

    public static int overflow(long address) {
        return Memory.getInt(address + OVERFLOW);
    }

    public static void overflow(long address, int value) {
        Memory.putInt(address + OVERFLOW, value);
    }

    public static int cqes(long address) {
        return Memory.getInt(address + CQES);
    }

    public static void cqes(long address, int value) {
        Memory.putInt(address + CQES, value);
    }

    public static int flags(long address) {
        return Memory.getInt(address + FLAGS);
    }

    public static void flags(long address, int value) {
        Memory.putInt(address + FLAGS, value);
    }

    /** Address of the queue in the caller's memory, for IORING_SETUP_NO_MMAP. */
    public static long userAddr(long address) {
        return Memory.getLong(address + USER_ADDR);
    }

    public static void userAddr(long address, long value) {
        Memory.putLong(address + USER_ADDR, value);
    }
}
