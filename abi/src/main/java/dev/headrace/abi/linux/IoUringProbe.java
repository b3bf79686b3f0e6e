package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * The answer of IORING_REGISTER_PROBE: the opcodes that this kernel has.
 *
 * <pre>{@code
 *  0 __u8  last_op
 *  1 __u8  ops_len
 *  2 __u16 resv
 *  4 __u32 resv2[3]
 * 16 struct io_uring_probe_op ops[]
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.6")
@CStruct(value = "struct io_uring_probe", header = "linux/io_uring.h")
public final class IoUringProbe {
    /** Bytes of the head, before the first entry. */
    public static final int SIZE = 16;

    @CField("last_op")
    public static final int LAST_OP = 0;

    @CField("ops_len")
    public static final int OPS_LEN = 1;

    @CField("ops")
    public static final int OPS = 16;

    private IoUringProbe() {}

    public static int lastOp(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + LAST_OP));
    }

    public static void lastOp(long address, int value) {
        Memory.putByte(address + LAST_OP, (byte) value);
    }

    public static int opsLen(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + OPS_LEN));
    }

    public static void opsLen(long address, int value) {
        Memory.putByte(address + OPS_LEN, (byte) value);
    }

    /** The address of the {@link IoUringProbeOp} at {@code index}. */
    public static long op(long address, int index) {
        return address + OPS + (long) index * IoUringProbeOp.SIZE;
    }
}
