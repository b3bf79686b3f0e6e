package dev.headrace.abi.check.canary;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/** Accessors that touch another place than the constant says, which collecting the claims must refuse. */
@CStruct(value = "struct io_uring_cqe", header = "linux/io_uring.h")
public final class WrongAccessor {
    @CField("res")
    public static final int RES = 8;

    private WrongAccessor() {}

    public static int res(long address) {
        return Memory.getInt(address + 12);
    }

    public static void res(long address, int value) {
        Memory.putInt(address + 12, value);
    }
}
