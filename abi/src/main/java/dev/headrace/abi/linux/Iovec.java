package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A piece of memory in a message.
 *
 * <pre>{@code
 *  0 void *iov_base
 *  8 size_t iov_len
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct iovec", header = "sys/uio.h")
public final class Iovec {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("iov_base")
    public static final int IOV_BASE = 0;

    @CField("iov_len")
    public static final int IOV_LEN = 8;

    private Iovec() {}

    public static long iovBase(long address) {
        return Memory.getLong(address + IOV_BASE);
    }

    public static void iovBase(long address, long value) {
        Memory.putLong(address + IOV_BASE, value);
    }

    public static long iovLen(long address) {
        return Memory.getLong(address + IOV_LEN);
    }

    public static void iovLen(long address, long value) {
        Memory.putLong(address + IOV_LEN, value);
    }
}
