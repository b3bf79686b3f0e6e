package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * One opcode in an {@link IoUringProbe}.
 *
 * <pre>{@code
 *  0 __u8  op
 *  1 __u8  resv
 *  2 __u16 flags       IO_URING_OP_SUPPORTED
 *  4 __u32 resv2
 *  8 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.6")
@CStruct(value = "struct io_uring_probe_op", header = "linux/io_uring.h")
public final class IoUringProbeOp {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    @CField("op")
    public static final int OP = 0;

    @CField("flags")
    public static final int FLAGS = 2;

    private IoUringProbeOp() {}

    public static int op(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + OP));
    }

    public static void op(long address, int value) {
        Memory.putByte(address + OP, (byte) value);
    }

    public static int flags(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + FLAGS));
    }

    public static void flags(long address, int value) {
        Memory.putShort(address + FLAGS, (short) value);
    }
}
