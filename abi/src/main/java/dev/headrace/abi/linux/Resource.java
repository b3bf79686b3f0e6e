package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Resource limits, from sys/resource.h.
 */
@Header("sys/resource.h")
public final class Resource {
    public static final int RLIMIT_NOFILE = 7;
    public static final int RLIMIT_MEMLOCK = 8;
    public static final long RLIM_INFINITY = -1L;

    private Resource() {}
}
