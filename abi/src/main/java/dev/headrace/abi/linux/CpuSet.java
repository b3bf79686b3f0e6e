package dev.headrace.abi.linux;

import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A set of processors, one bit each.
 *
 * <pre>{@code
 *  0 unsigned long bits[16]
 * 128 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "cpu_set_t", header = "sched.h", kernel = "-")
public final class CpuSet {
    /** Bytes of the struct. */
    public static final int SIZE = 128;

    /** The processors that fit: 0 to {@code CPUS - 1}. */
    static final int CPUS = SIZE * 8;

    private CpuSet() {}

    /** Adds a processor. */
    public static void set(long address, int cpu) {
        long word = word(address, cpu);
        Memory.putLong(word, Memory.getLong(word) | 1L << cpu);
    }

    /** Whether the set holds a processor. */
    public static boolean isSet(long address, int cpu) {
        return (Memory.getLong(word(address, cpu)) & 1L << cpu) != 0;
    }

    /** Empties the set. */
    public static void clear(long address) {
        Memory.fill(address, SIZE, (byte) 0);
    }

    private static long word(long address, int cpu) {
        assert cpu >= 0 && cpu < CPUS : cpu;
        return address + (cpu >>> 6) * 8L;
    }
}
