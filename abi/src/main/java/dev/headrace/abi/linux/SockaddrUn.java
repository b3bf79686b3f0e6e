package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * An address of a Unix domain socket.
 *
 * <pre>{@code
 *  0 sa_family_t sun_family     AF_UNIX
 *  2 char sun_path[108]
 * 110 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct sockaddr_un", header = "sys/un.h")
public final class SockaddrUn {
    /** Bytes of the struct. */
    public static final int SIZE = 110;

    @CField("sun_family")
    public static final int SUN_FAMILY = 0;

    @CField("sun_path")
    public static final int SUN_PATH = 2;

    private SockaddrUn() {}

    public static int sunFamily(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + SUN_FAMILY));
    }

    public static void sunFamily(long address, int value) {
        Memory.putShort(address + SUN_FAMILY, (short) value);
    }
}
