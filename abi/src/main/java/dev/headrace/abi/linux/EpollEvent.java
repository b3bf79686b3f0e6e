package dev.headrace.abi.linux;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;
import dev.headrace.abi.PerArchitecture;

/**
 * A descriptor's readiness, and what to watch for. On x86-64 the struct is packed, so that 32-bit programs see the
 * same one; elsewhere the data are aligned.
 *
 * <pre>{@code
 *             x86-64          aarch64
 * __u32 events     0               0
 * __u64 data       4               8
 * bytes           12              16
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct epoll_event", header = "sys/epoll.h")
public final class EpollEvent {
    /** Bytes of the struct. */
    @PerArchitecture("size")
    public static final int SIZE = size(Architecture.CURRENT);

    @CField("events")
    public static final int EVENTS = 0;

    @PerArchitecture("data")
    @CField("data")
    public static final int DATA = data(Architecture.CURRENT);

    private EpollEvent() {}

    public static int events(long address) {
        return Memory.getInt(address + EVENTS);
    }

    public static void events(long address, int value) {
        Memory.putInt(address + EVENTS, value);
    }

    public static long data(long address) {
        return Memory.getLong(address + DATA);
    }

    public static void data(long address, long value) {
        Memory.putLong(address + DATA, value);
    }

    /** Bytes of the struct on an architecture. */
    public static int size(Architecture architecture) {
        return architecture.pick(12, 16);
    }

    /** Offset of the data on an architecture. */
    public static int data(Architecture architecture) {
        return architecture.pick(4, 8);
    }
}
