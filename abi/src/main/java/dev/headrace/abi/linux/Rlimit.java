package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A resource limit: the value that holds, and how far it may be raised.
 *
 * <pre>{@code
 *  0 rlim_t rlim_cur
 *  8 rlim_t rlim_max
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct rlimit", header = "sys/resource.h")
public final class Rlimit {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("rlim_cur")
    public static final int RLIM_CUR = 0;

    @CField("rlim_max")
    public static final int RLIM_MAX = 8;

    private Rlimit() {}

    public static long rlimCur(long address) {
        return Memory.getLong(address + RLIM_CUR);
    }

    public static void rlimCur(long address, long value) {
        Memory.putLong(address + RLIM_CUR, value);
    }

    public static long rlimMax(long address) {
        return Memory.getLong(address + RLIM_MAX);
    }

    public static void rlimMax(long address, long value) {
        Memory.putLong(address + RLIM_MAX, value);
    }
}
