package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * An IPv4 address. Port and address are stored in network order; the accessors take and give host order.
 *
 * <pre>{@code
 *  0 sa_family_t sin_family     AF_INET
 *  2 __be16 sin_port
 *  4 __be32 sin_addr
 *  8 unsigned char zero[8]
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct sockaddr_in", header = "netinet/in.h")
public final class SockaddrIn {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("sin_family")
    public static final int SIN_FAMILY = 0;

    @CField("sin_port")
    public static final int SIN_PORT = 2;

    @CField({"sin_addr", "sin_addr.s_addr"})
    public static final int SIN_ADDR = 4;

    private SockaddrIn() {}

    public static int sinFamily(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + SIN_FAMILY));
    }

    public static void sinFamily(long address, int value) {
        Memory.putShort(address + SIN_FAMILY, (short) value);
    }

    /** In host order. */
    public static int sinPort(long address) {
        return Short.toUnsignedInt(Short.reverseBytes(Memory.getShort(address + SIN_PORT)));
    }

    public static void sinPort(long address, int value) {
        Memory.putShort(address + SIN_PORT, Short.reverseBytes((short) value));
    }

    /** In host order: 127.0.0.1 is {@code 0x7f000001}. */
    public static int sinAddr(long address) {
        return Integer.reverseBytes(Memory.getInt(address + SIN_ADDR));
    }

    public static void sinAddr(long address, int value) {
        Memory.putInt(address + SIN_ADDR, Integer.reverseBytes(value));
    }
}
