package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;

/**
 * A submission queue entry: one request to io_uring. The kernel refuses most requests in which a field they do not use
 * is not zero, so {@link #clear} comes first.
 *
 * <pre>{@code
 *  0 __u8  opcode   1 __u8 flags   2 __u16 ioprio
 *  4 __s32 fd
 *  8 union { __u64 off; __u64 addr2; struct { __u32 cmd_op; __u32 pad; }; }
 * 16 union { __u64 addr; __u64 splice_off_in; struct { __u32 level; __u32 optname; }; }
 * 24 __u32 len
 * 28 union { __u32 rw_flags, poll32_events, msg_flags, timeout_flags, accept_flags, cancel_flags, ... }
 * 32 __u64 user_data
 * 40 union { __u16 buf_index; __u16 buf_group; }
 * 42 __u16 personality
 * 44 union { __s32 splice_fd_in; __u32 file_index; __u32 optlen; struct { __u16 addr_len; __u16 pad; }; }
 * 48 union { struct { __u64 addr3; __u64 pad; }; __u64 optval; }
 * 64 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@Since("5.1")
@CStruct(value = "struct io_uring_sqe", header = "linux/io_uring.h")
public final class IoUringSqe {
    /** Bytes of the struct. */
    public static final int SIZE = 64;

    @CField("opcode")
    public static final int OPCODE = 0;

    @CField("flags")
    public static final int FLAGS = 1;

    @CField("ioprio")
    public static final int IOPRIO = 2;

    @CField("fd")
    public static final int FD = 4;

    @CField("off")
    public static final int OFF = 8;

    @CField("addr2")
    public static final int ADDR2 = 8;

    @CField("cmd_op")
    public static final int CMD_OP = 8;

    @CField("addr")
    public static final int ADDR = 16;

    @CField("level")
    public static final int LEVEL = 16;

    @CField("optname")
    public static final int OPTNAME = 20;

    @CField("len")
    public static final int LEN = 24;

    @CField({"rw_flags", "poll32_events", "msg_flags", "timeout_flags", "accept_flags", "cancel_flags", "msg_ring_flags"
    })
    public static final int OP_FLAGS = 28;

    @CField("user_data")
    public static final int USER_DATA = 32;

    @CField({"buf_group", "buf_index"})
    public static final int BUF_GROUP = 40;

    @CField("personality")
    public static final int PERSONALITY = 42;

    @CField({"file_index", "splice_fd_in"})
    public static final int FILE_INDEX = 44;

    @CField("optlen")
    public static final int OPTLEN = 44;

    @CField("addr_len")
    public static final int ADDR_LEN = 44;

    @CField("addr3")
    public static final int ADDR3 = 48;

    @CField("optval")
    public static final int OPTVAL = 48;

    private IoUringSqe() {}

    public static int opcode(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + OPCODE));
    }

    public static void opcode(long address, int value) {
        Memory.putByte(address + OPCODE, (byte) value);
    }

    public static int flags(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + FLAGS));
    }

    public static void flags(long address, int value) {
        Memory.putByte(address + FLAGS, (byte) value);
    }

    public static int ioprio(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + IOPRIO));
    }

    public static void ioprio(long address, int value) {
        Memory.putShort(address + IOPRIO, (short) value);
    }

    public static int fd(long address) {
        return Memory.getInt(address + FD);
    }

    public static void fd(long address, int value) {
        Memory.putInt(address + FD, value);
    }

    public static long off(long address) {
        return Memory.getLong(address + OFF);
    }

    public static void off(long address, long value) {
        Memory.putLong(address + OFF, value);
    }

    public static long addr2(long address) {
        return Memory.getLong(address + ADDR2);
    }

    public static void addr2(long address, long value) {
        Memory.putLong(address + ADDR2, value);
    }

    public static int cmdOp(long address) {
        return Memory.getInt(address + CMD_OP);
    }

    public static void cmdOp(long address, int value) {
        Memory.putInt(address + CMD_OP, value);
    }

    public static long addr(long address) {
        return Memory.getLong(address + ADDR);
    }

    public static void addr(long address, long value) {
        Memory.putLong(address + ADDR, value);
    }

    public static int level(long address) {
        return Memory.getInt(address + LEVEL);
    }

    public static void level(long address, int value) {
        Memory.putInt(address + LEVEL, value);
    }

    public static int optname(long address) {
        return Memory.getInt(address + OPTNAME);
    }

    public static void optname(long address, int value) {
        Memory.putInt(address + OPTNAME, value);
    }

    public static int len(long address) {
        return Memory.getInt(address + LEN);
    }

    public static void len(long address, int value) {
        Memory.putInt(address + LEN, value);
    }

    /** The flags of the operation itself; their name in C depends on the opcode. */
    public static int opFlags(long address) {
        return Memory.getInt(address + OP_FLAGS);
    }

    public static void opFlags(long address, int value) {
        Memory.putInt(address + OP_FLAGS, value);
    }

    public static long userData(long address) {
        return Memory.getLong(address + USER_DATA);
    }

    public static void userData(long address, long value) {
        Memory.putLong(address + USER_DATA, value);
    }

    public static int bufGroup(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + BUF_GROUP));
    }

    public static void bufGroup(long address, int value) {
        Memory.putShort(address + BUF_GROUP, (short) value);
    }

    public static int personality(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + PERSONALITY));
    }

    public static void personality(long address, int value) {
        Memory.putShort(address + PERSONALITY, (short) value);
    }

    public static int fileIndex(long address) {
        return Memory.getInt(address + FILE_INDEX);
    }

    public static void fileIndex(long address, int value) {
        Memory.putInt(address + FILE_INDEX, value);
    }

    /** Length of an option; for a multishot receive the bytes after which it ends (0: never). */
    public static int optlen(long address) {
        return Memory.getInt(address + OPTLEN);
    }

    public static void optlen(long address, int value) {
        Memory.putInt(address + OPTLEN, value);
    }

    public static int addrLen(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + ADDR_LEN));
    }

    public static void addrLen(long address, int value) {
        Memory.putShort(address + ADDR_LEN, (short) value);
    }

    public static long addr3(long address) {
        return Memory.getLong(address + ADDR3);
    }

    public static void addr3(long address, long value) {
        Memory.putLong(address + ADDR3, value);
    }

    public static long optval(long address) {
        return Memory.getLong(address + OPTVAL);
    }

    public static void optval(long address, long value) {
        Memory.putLong(address + OPTVAL, value);
    }

    /** Zeroes the entry. */
    public static void clear(long address) {
        Memory.putLong(address, 0);
        Memory.putLong(address + 8, 0);
        Memory.putLong(address + 16, 0);
        Memory.putLong(address + 24, 0);
        Memory.putLong(address + 32, 0);
        Memory.putLong(address + 40, 0);
        Memory.putLong(address + 48, 0);
        Memory.putLong(address + 56, 0);
    }
}
