package dev.headrace.abi.check.canary;

import dev.headrace.abi.CBits;
import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/** A layout with a wrong size, offset, width and bit field, each of which headers and type information must refute. */
@CStruct(value = "struct perf_event_attr", header = "linux/perf_event.h")
public final class WrongLayout {
    public static final int SIZE = 100; // is 128 or more

    @CField("type")
    public static final int TYPE = 0; // has 4 bytes

    @CField("config")
    public static final int CONFIG = 16; // is 8

    @CField("read_format")
    public static final int READ_FORMAT = 32;

    public static final int FLAGS = 40;

    @CBits(value = "disabled", word = "FLAGS")
    public static final long DISABLED = 1 << 1; // is 1 << 0

    private WrongLayout() {}

    public static long type(long address) {
        return Memory.getLong(address + TYPE);
    }

    public static void type(long address, long value) {
        Memory.putLong(address + TYPE, value);
    }
}
