package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Constants of fcntl(2) and of the flags of open descriptors, from fcntl.h.
 */
@Header("fcntl.h")
public final class Fcntl {
    public static final int F_GETFD = 1;
    public static final int F_SETFD = 2;
    public static final int F_GETFL = 3;
    public static final int F_SETFL = 4;
    public static final int F_DUPFD_CLOEXEC = 1030;
    public static final int FD_CLOEXEC = 1;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;

    private Fcntl() {}
}
