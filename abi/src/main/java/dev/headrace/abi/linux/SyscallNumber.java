package dev.headrace.abi.linux;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.Header;
import dev.headrace.abi.PerArchitecture;
import dev.headrace.abi.Since;

/**
 * Numbers of the system calls that have no wrapper in libc, from sys/syscall.h.
 */
@Header("sys/syscall.h")
public final class SyscallNumber {
    /** gettid(2). */
    @PerArchitecture("gettid")
    public static final int SYS_gettid = gettid(Architecture.CURRENT);

    /** perf_event_open(2). */
    @PerArchitecture("perfEventOpen")
    public static final int SYS_perf_event_open = perfEventOpen(Architecture.CURRENT);

    @Since("5.1")
    public static final int SYS_io_uring_setup = 425;

    @Since("5.1")
    public static final int SYS_io_uring_enter = 426;

    @Since("5.1")
    public static final int SYS_io_uring_register = 427;

    @Since("5.11")
    public static final int SYS_epoll_pwait2 = 441;

    private SyscallNumber() {}

    /** The number of gettid(2). */
    public static int gettid(Architecture architecture) {
        return architecture.pick(186, 178);
    }

    /** The number of perf_event_open(2). */
    public static int perfEventOpen(Architecture architecture) {
        return architecture.pick(298, 241);
    }
}
