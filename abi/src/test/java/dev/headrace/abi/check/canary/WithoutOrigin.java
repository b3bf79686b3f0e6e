package dev.headrace.abi.check.canary;

import dev.headrace.abi.CStruct;

/** A number that names no C origin, which collecting the claims must refuse. */
@CStruct(value = "struct io_uring_cqe", header = "linux/io_uring.h")
public final class WithoutOrigin {
    public static final int RES = 8;

    private WithoutOrigin() {}
}
