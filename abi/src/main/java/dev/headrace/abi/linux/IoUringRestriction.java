package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * One permission in the argument of IORING_REGISTER_RESTRICTIONS.
 *
 * <pre>{@code
 *  0 __u16 opcode      IORING_RESTRICTION_...
 *  2 union { __u8 register_op; __u8 sqe_op; __u8 sqe_flags; }
 *  3 __u8  resv
 *  4 __u32 resv2[3]
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.10")
@CStruct(value = "struct io_uring_restriction", header = "linux/io_uring.h")
public final class IoUringRestriction {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("opcode")
    public static final int OPCODE = 0;

    @CField("register_op")
    public static final int REGISTER_OP = 2;

    @CField("sqe_op")
    public static final int SQE_OP = 2;

    @CField("sqe_flags")
    public static final int SQE_FLAGS = 2;

    private IoUringRestriction() {}

    public static int opcode(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + OPCODE));
    }

    public static void opcode(long address, int value) {
        Memory.putShort(address + OPCODE, (short) value);
    }

    public static int registerOp(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + REGISTER_OP));
    }

    public static void registerOp(long address, int value) {
        Memory.putByte(address + REGISTER_OP, (byte) value);
    }

    public static int sqeOp(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + SQE_OP));
    }

    public static void sqeOp(long address, int value) {
        Memory.putByte(address + SQE_OP, (byte) value);
    }

    public static int sqeFlags(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + SQE_FLAGS));
    }

    public static void sqeFlags(long address, int value) {
        Memory.putByte(address + SQE_FLAGS, (byte) value);
    }
}
