package dev.headrace.abi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Reads and writes native memory by absolute address, without bounds or lifetime checks: whoever holds an address
 * answers for it. One segment over the whole address space, static and final, lets the compiler reduce an access to a
 * single instruction.
 *
 * <p>Thread: any. Plain accesses may be unaligned; acquire, release and volatile accesses need an address aligned to
 * their width and order memory as the {@link VarHandle} modes of those names do.
 */
public final class Memory {
    /** The whole address space. */
    @SuppressWarnings("restricted") // needs --enable-native-access, as everything here
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle().withInvokeExactBehavior();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    private Memory() {}

    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, value);
    }

    public static short getShort(long address) {
        return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
    }

    public static void putShort(long address, short value) {
        ALL.set(ValueLayout.JAVA_SHORT_UNALIGNED, address, value);
    }

    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    public static short getShortAcquire(long address) {
        return (short) SHORT.getAcquire(ALL, address);
    }

    public static void putShortRelease(long address, short value) {
        SHORT.setRelease(ALL, address, value);
    }

    public static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    public static void putIntRelease(long address, int value) {
        INT.setRelease(ALL, address, value);
    }

    public static int getIntVolatile(long address) {
        return (int) INT.getVolatile(ALL, address);
    }

    public static void putIntVolatile(long address, int value) {
        INT.setVolatile(ALL, address, value);
    }

    public static long getLongAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }

    public static void putLongRelease(long address, long value) {
        LONG.setRelease(ALL, address, value);
    }

    /** Copies {@code bytes} bytes; the regions may overlap. */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /** Copies {@code bytes} bytes of the array, from {@code offset}, to native memory. */
    public static void copy(byte[] from, int offset, long to, int bytes) {
        MemorySegment.copy(from, offset, ALL, ValueLayout.JAVA_BYTE, to, bytes);
    }

    /** Copies {@code bytes} bytes of native memory into the array, at {@code offset}. */
    public static void copy(long from, byte[] to, int offset, int bytes) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from, to, offset, bytes);
    }

    /** Sets {@code bytes} bytes to {@code value}. */
    public static void fill(long address, long bytes, byte value) {
        segment(address, bytes).fill(value);
    }

    /** The offset of the first byte in which the two regions differ, or -1 if they are equal. */
    public static long mismatch(long a, long b, long bytes) {
        return MemorySegment.mismatch(ALL, a, a + bytes, ALL, b, b + bytes);
    }

    /** A view of {@code bytes} bytes at {@code address}; it does not keep the memory alive. */
    public static MemorySegment segment(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }
}
