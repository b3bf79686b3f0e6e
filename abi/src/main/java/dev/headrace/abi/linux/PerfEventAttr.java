package dev.headrace.abi.linux;

import dev.headrace.abi.CBits;
import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * What to count, for perf_event_open(2). The struct grows with the kernel; its first published length is enough here.
 *
 * <pre>{@code
 *  0 __u32 type
 *  4 __u32 size        PERF_ATTR_SIZE_VER0
 *  8 __u64 config
 * 16 union { __u64 sample_period; __u64 sample_freq; }
 * 24 __u64 sample_type
 * 32 __u64 read_format
 * 40 __u64 flags       bit fields: disabled : 1, inherit : 1, ...
 * 48 ...
 * 64 bytes
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct perf_event_attr", header = "linux/perf_event.h", size = "PERF_ATTR_SIZE_VER0")
public final class PerfEventAttr {
    /** Bytes of the first published form. */
    public static final int SIZE = 64;

    @CField("type")
    public static final int TYPE = 0;

    @CField("size")
    public static final int ATTR_SIZE = 4;

    @CField("config")
    public static final int CONFIG = 8;

    @CField({"sample_period", "sample_freq"})
    public static final int SAMPLE_PERIOD = 16;

    @CField("sample_type")
    public static final int SAMPLE_TYPE = 24;

    @CField("read_format")
    public static final int READ_FORMAT = 32;

    /** Offset of the 64-bit word that holds the bit fields; C gives it no name. */
    public static final int FLAGS = 40;

    @CBits(value = "disabled", word = "FLAGS")
    public static final long DISABLED = 1L << 0;

    @CBits(value = "inherit", word = "FLAGS")
    public static final long INHERIT = 1L << 1;

    @CBits(value = "exclude_user", word = "FLAGS")
    public static final long EXCLUDE_USER = 1L << 4;

    @CBits(value = "exclude_kernel", word = "FLAGS")
    public static final long EXCLUDE_KERNEL = 1L << 5;

    @CBits(value = "exclude_hv", word = "FLAGS")
    public static final long EXCLUDE_HV = 1L << 6;

    @CBits(value = "enable_on_exec", word = "FLAGS")
    public static final long ENABLE_ON_EXEC = 1L << 12;

    private PerfEventAttr() {}

    public static int type(long address) {
        return Memory.getInt(address + TYPE);
    }

    public static void type(long address, int value) {
        Memory.putInt(address + TYPE, value);
    }

    /** The length given to the kernel, {@link #SIZE}. */
    public static int attrSize(long address) {
        return Memory.getInt(address + ATTR_SIZE);
    }

    public static void attrSize(long address, int value) {
        Memory.putInt(address + ATTR_SIZE, value);
    }

    public static long config(long address) {
        return Memory.getLong(address + CONFIG);
    }

    public static void config(long address, long value) {
        Memory.putLong(address + CONFIG, value);
    }

    public static long samplePeriod(long address) {
        return Memory.getLong(address + SAMPLE_PERIOD);
    }

    public static void samplePeriod(long address, long value) {
        Memory.putLong(address + SAMPLE_PERIOD, value);
    }

    public static long sampleType(long address) {
        return Memory.getLong(address + SAMPLE_TYPE);
    }

    public static void sampleType(long address, long value) {
        Memory.putLong(address + SAMPLE_TYPE, value);
    }

    public static long readFormat(long address) {
        return Memory.getLong(address + READ_FORMAT);
    }

    public static void readFormat(long address, long value) {
        Memory.putLong(address + READ_FORMAT, value);
    }

    /** The bit fields {@link #DISABLED} and so on. */
    public static long flags(long address) {
        return Memory.getLong(address + FLAGS);
    }

    public static void flags(long address, long value) {
        Memory.putLong(address + FLAGS, value);
    }
}
