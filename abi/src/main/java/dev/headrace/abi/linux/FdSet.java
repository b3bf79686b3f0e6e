package dev.headrace.abi.linux;

import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A set of descriptors for select(2), one bit each: those below {@link Select#FD_SETSIZE}. A bit beyond them would lie in
 * somebody else's memory.
 *
 * <pre>{@code
 *  0 long fds_bits[16]
 * 128 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "fd_set", header = "sys/select.h", kernel = "-")
public final class FdSet {
    /** Bytes of the struct. */
    public static final int SIZE = 128;

    private FdSet() {}

    /** Adds a descriptor. */
    public static void set(long address, int fd) {
        long word = wordOf(address, fd);
        Memory.putLong(word, Memory.getLong(word) | 1L << fd);
    }

    /** Takes a descriptor out. */
    public static void clear(long address, int fd) {
        long word = wordOf(address, fd);
        Memory.putLong(word, Memory.getLong(word) & ~(1L << fd));
    }

    /** Whether the set holds a descriptor. */
    public static boolean isSet(long address, int fd) {
        return (Memory.getLong(wordOf(address, fd)) & 1L << fd) != 0;
    }

    /** The bits of the 64 descriptors from {@code 64 * index} on, the lowest bit being the first. */
    public static long word(long address, int index) {
        assert index >= 0 && index < SIZE / Long.BYTES : index;
        return Memory.getLong(address + (long) index * Long.BYTES);
    }

    private static long wordOf(long address, int fd) {
        assert fd >= 0 && fd < Select.FD_SETSIZE : fd;
        return address + (fd >>> 6) * 8L;
    }
}
