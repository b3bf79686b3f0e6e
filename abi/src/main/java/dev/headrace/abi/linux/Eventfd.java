package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Flags of eventfd(2), from sys/eventfd.h.
 */
@Header("sys/eventfd.h")
public final class Eventfd {
    public static final int EFD_SEMAPHORE = 1;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int EFD_CLOEXEC = 0x80000;

    private Eventfd() {}
}
