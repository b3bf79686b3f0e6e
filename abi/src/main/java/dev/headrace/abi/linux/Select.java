package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * The limit of select(2), from sys/select.h.
 */
@Header("sys/select.h")
public final class Select {
    /** The first descriptor number that has no bit in an {@link FdSet}. */
    public static final int FD_SETSIZE = 1024;

    private Select() {}
}
