package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Clocks of clock_gettime(2), from time.h.
 */
@Header("time.h")
public final class Clock {
    public static final int CLOCK_REALTIME = 0;
    public static final int CLOCK_MONOTONIC = 1;
    public static final int CLOCK_PROCESS_CPUTIME_ID = 2;
    public static final int CLOCK_THREAD_CPUTIME_ID = 3;
    public static final int CLOCK_BOOTTIME = 7;

    private Clock() {}
}
