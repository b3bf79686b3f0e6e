package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A message with address, pieces and control data, for sendmsg(2) and recvmsg(2).
 *
 * <pre>{@code
 *  0 void *msg_name
 *  8 socklen_t msg_namelen
 * 16 struct iovec *msg_iov
 * 24 size_t msg_iovlen
 * 32 void *msg_control
 * 40 size_t msg_controllen
 * 48 int msg_flags
 * 56 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct msghdr", header = "sys/socket.h", kernel = "user_msghdr")
public final class Msghdr {
    /** Bytes of the struct. */
    public static final int SIZE = 56;

    @CField("msg_name")
    public static final int MSG_NAME = 0;

    @CField("msg_namelen")
    public static final int MSG_NAMELEN = 8;

    @CField("msg_iov")
    public static final int MSG_IOV = 16;

    @CField("msg_iovlen")
    public static final int MSG_IOVLEN = 24;

    @CField("msg_control")
    public static final int MSG_CONTROL = 32;

    @CField("msg_controllen")
    public static final int MSG_CONTROLLEN = 40;

    @CField("msg_flags")
    public static final int MSG_FLAGS = 48;

    private Msghdr() {}

    public static long msgName(long address) {
        return Memory.getLong(address + MSG_NAME);
    }

    public static void msgName(long address, long value) {
        Memory.putLong(address + MSG_NAME, value);
    }

    public static int msgNamelen(long address) {
        return Memory.getInt(address + MSG_NAMELEN);
    }

    public static void msgNamelen(long address, int value) {
        Memory.putInt(address + MSG_NAMELEN, value);
    }

    public static long msgIov(long address) {
        return Memory.getLong(address + MSG_IOV);
    }

    public static void msgIov(long address, long value) {
        Memory.putLong(address + MSG_IOV, value);
    }

    public static long msgIovlen(long address) {
        return Memory.getLong(address + MSG_IOVLEN);
    }

    public static void msgIovlen(long address, long value) {
        Memory.putLong(address + MSG_IOVLEN, value);
    }

    public static long msgControl(long address) {
        return Memory.getLong(address + MSG_CONTROL);
    }

    public static void msgControl(long address, long value) {
        Memory.putLong(address + MSG_CONTROL, value);
    }

    public static long msgControllen(long address) {
        return Memory.getLong(address + MSG_CONTROLLEN);
    }

    public static void msgControllen(long address, long value) {
        Memory.putLong(address + MSG_CONTROLLEN, value);
    }

    public static int msgFlags(long address) {
        return Memory.getInt(address + MSG_FLAGS);
    }

    public static void msgFlags(long address, int value) {
        Memory.putInt(address + MSG_FLAGS, value);
    }
}
