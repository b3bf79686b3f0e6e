package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * An IPv6 address. Port and flow label are stored in network order; the accessors take and give host order.
 *
 * <pre>{@code
 *  0 sa_family_t sin6_family    AF_INET6
 *  2 __be16 sin6_port
 *  4 __be32 sin6_flowinfo
 *  8 unsigned char sin6_addr[16]
 * 24 __u32 sin6_scope_id
 * 28 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct sockaddr_in6", header = "netinet/in.h")
public final class SockaddrIn6 {
    /** Bytes of the struct. */
    public static final int SIZE = 28;

    @CField("sin6_family")
    public static final int SIN6_FAMILY = 0;

    @CField("sin6_port")
    public static final int SIN6_PORT = 2;

    @CField("sin6_flowinfo")
    public static final int SIN6_FLOWINFO = 4;

    @CField("sin6_addr")
    public static final int SIN6_ADDR = 8;

    @CField("sin6_scope_id")
    public static final int SIN6_SCOPE_ID = 24;

    private SockaddrIn6() {}

    public static int sin6Family(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + SIN6_FAMILY));
    }

    public static void sin6Family(long address, int value) {
        Memory.putShort(address + SIN6_FAMILY, (short) value);
    }

    /** In host order. */
    public static int sin6Port(long address) {
        return Short.toUnsignedInt(Short.reverseBytes(Memory.getShort(address + SIN6_PORT)));
    }

    public static void sin6Port(long address, int value) {
        Memory.putShort(address + SIN6_PORT, Short.reverseBytes((short) value));
    }

    /** In host order. */
    public static int sin6Flowinfo(long address) {
        return Integer.reverseBytes(Memory.getInt(address + SIN6_FLOWINFO));
    }

    public static void sin6Flowinfo(long address, int value) {
        Memory.putInt(address + SIN6_FLOWINFO, Integer.reverseBytes(value));
    }

    public static int sin6ScopeId(long address) {
        return Memory.getInt(address + SIN6_SCOPE_ID);
    }

    public static void sin6ScopeId(long address, int value) {
        Memory.putInt(address + SIN6_SCOPE_ID, value);
    }
}
