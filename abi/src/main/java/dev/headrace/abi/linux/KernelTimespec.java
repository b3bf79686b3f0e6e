package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A time as the kernel takes and gives it.
 *
 * <pre>{@code
 *  0 long long tv_sec
 *  8 long long tv_nsec
 * 16 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct __kernel_timespec", header = "linux/time_types.h")
public final class KernelTimespec {
    /** Bytes of the struct. */
    public static final int SIZE = 16;

    @CField("tv_sec")
    public static final int TV_SEC = 0;

    @CField("tv_nsec")
    public static final int TV_NSEC = 8;

    private KernelTimespec() {}

    public static long tvSec(long address) {
        return Memory.getLong(address + TV_SEC);
    }

    public static void tvSec(long address, long value) {
        Memory.putLong(address + TV_SEC, value);
    }

    public static long tvNsec(long address) {
        return Memory.getLong(address + TV_NSEC);
    }

    public static void tvNsec(long address, long value) {
        Memory.putLong(address + TV_NSEC, value);
    }
}
