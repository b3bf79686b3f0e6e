package dev.headrace.abi.linux;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.Header;
import dev.headrace.abi.PerArchitecture;
import dev.headrace.abi.Since;

/**
 * Numbers of the system calls that have no wrapper in libc, or one that does more than call, from sys/syscall.h.
 */
@Header("sys/syscall.h")
public final class SyscallNumber {
    /** gettid(2). */
    @PerArchitecture("gettid")
    public static final int SYS_gettid = gettid(Architecture.CURRENT);

    /** perf_event_open(2). */
    @PerArchitecture("perfEventOpen")
    public static final int SYS_perf_event_open = perfEventOpen(Architecture.CURRENT);

    /** pselect6(2). */
    @PerArchitecture("pselect6")
    public static final int SYS_pselect6 = pselect6(Architecture.CURRENT);

    /** ppoll(2). */
    @PerArchitecture("ppoll")
    public static final int SYS_ppoll = ppoll(Architecture.CURRENT);

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

    /** The number of pselect6(2). */
    public static int pselect6(Architecture architecture) {
        return architecture.pick(270, 72);
    }

    /** The number of ppoll(2). */
    public static int ppoll(Architecture architecture) {
        return architecture.pick(271, 73);
    }
}
