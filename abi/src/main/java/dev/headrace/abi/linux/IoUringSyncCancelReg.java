package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The argument of IORING_REGISTER_SYNC_CANCEL.
 *
 * <pre>{@code
 *  0 __u64 addr        user_data of the request
 *  8 __s32 fd
 * 12 __u32 flags       IORING_ASYNC_CANCEL_...
 * 16 struct __kernel_timespec timeout
 * 32 __u8  opcode      (padding before 6.6)
 * 64 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("6.0")
@CStruct(value = "struct io_uring_sync_cancel_reg", header = "linux/io_uring.h")
public final class IoUringSyncCancelReg {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    @CField("addr")
    public static final int ADDR = 0;

    @CField("fd")
    public static final int FD = 8;

    @CField("flags")
    public static final int FLAGS = 12;

    @CField("timeout")
    public static final int TIMEOUT = 16;

    @CField("opcode")
    public static final int OPCODE = 32;

    private IoUringSyncCancelReg() {}

    public static long addr(long address) {
        return Memory.getLong(address + ADDR);
    }

    public static void addr(long address, long value) {
        Memory.putLong(address + ADDR, value);
    }

    public static int fd(long address) {
        return Memory.getInt(address + FD);
    }

    public static void fd(long address, int value) {
        Memory.putInt(address + FD, value);
    }

    public static int flags(long address) {
        return Memory.getInt(address + FLAGS);
    }

    public static void flags(long address, int value) {
        Memory.putInt(address + FLAGS, value);
    }

    public static int opcode(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + OPCODE));
    }

    public static void opcode(long address, int value) {
        Memory.putByte(address + OPCODE, (byte) value);
    }
}
