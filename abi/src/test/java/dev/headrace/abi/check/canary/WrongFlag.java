package dev.headrace.abi.check.canary;

import dev.headrace.abi.Header;

/** A constant that a proving call must refute. */
@Header("linux/io_uring.h")
public final class WrongFlag {
    public static final int IORING_SETUP_NO_MMAP = 1 << 14;
    public static final int IORING_SETUP_NO_SQARRAY = 1 << 15; // is 1 << 16

    private WrongFlag() {}
}
