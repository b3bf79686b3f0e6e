package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * A descriptor to watch with poll(2), and the answer.
 *
 * <pre>{@code
 *  0 int fd            negative: ignored
 *  4 short events
 *  6 short revents
 *  8 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct pollfd", header = "poll.h")
public final class Pollfd {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    @CField("fd")
    public static final int FD = 0;

    @CField("events")
    public static final int EVENTS = 4;

    @CField("revents")
    public static final int REVENTS = 6;

    private Pollfd() {}

    public static int fd(long address) {
        return Memory.getInt(address + FD);
    }

    public static void fd(long address, int value) {
        Memory.putInt(address + FD, value);
    }

    public static int events(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + EVENTS));
    }

    public static void events(long address, int value) {
        Memory.putShort(address + EVENTS, (short) value);
    }

    public static int revents(long address) {
        return Short.toUnsignedInt(Memory.getShort(address + REVENTS));
    }

    public static void revents(long address, int value) {
        Memory.putShort(address + REVENTS, (short) value);
    }
}
