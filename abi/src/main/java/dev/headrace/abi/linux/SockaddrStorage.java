package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * Room for an address of any family; its family says which layout it has.
 *
 * <pre>{@code
 *  0 sa_family_t ss_family
 * 128 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct sockaddr_storage", header = "sys/socket.h", kernel = "__kernel_sockaddr_storage")
public final class SockaddrStorage {
    /** Bytes of the struct. */
    public static final int SIZE = 128;

    @CField("ss_family")
    public static final int SS_FAMILY = 0;

    private SockaddrStorage() {}

    public static int ssFamily(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + SS_FAMILY));
    }

    public static void ssFamily(long address, int value) {
        Memory.putShort(address + SS_FAMILY, (short) value);
    }
}
