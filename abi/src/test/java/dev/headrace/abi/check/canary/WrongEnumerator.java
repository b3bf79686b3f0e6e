package dev.headrace.abi.check.canary;

import dev.headrace.abi.Header;

/** A constant that the kernel's type information must refute. */
@Header("linux/io_uring.h")
public final class WrongEnumerator {
    public static final int IORING_OP_SOCKET = 45;
    public static final int IORING_OP_SEND_ZC = 48; // is 47

    private WrongEnumerator() {}
}
