package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * The value of the option SO_LINGER; on with 0 seconds makes close(2) send a reset.
 *
 * <pre>{@code
 *  0 int l_onoff
 *  4 int l_linger      seconds
 *  8 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct linger", header = "sys/socket.h")
public final class Linger {
    /** Bytes of the struct. */
    public static final int SIZE = 8;

    @CField("l_onoff")
    public static final int L_ONOFF = 0;

    @CField("l_linger")
    public static final int L_LINGER = 4;

    private Linger() {}

    public static int lOnoff(long address) {
        return Memory.getInt(address + L_ONOFF);
    }

    public static void lOnoff(long address, int value) {
        Memory.putInt(address + L_ONOFF, value);
    }

    public static int lLinger(long address) {
        return Memory.getInt(address + L_LINGER);
    }

    public static void lLinger(long address, int value) {
        Memory.putInt(address + L_LINGER, value);
    }
}
