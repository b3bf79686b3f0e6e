package dev.headrace.abi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * The calls that a loop waits in, without saving errno: a call that saves it makes a small object, which the compiler
 * removes in most processes but not in all, and a loop makes one such call each turn. A failure is -1; {@link SystemCalls}
 * then asks again without waiting to learn the cause, which repeats nothing: entries once submitted are not submitted
 * again, and readiness is still there.
 *
 * <p>Thread: any. Owns: nothing.
 */
final class Waits {
    private static final MethodHandle EPOLL_WAIT =
            link("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle SYSCALL = link(
            "syscall",
            FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));

    private Waits() {}

    static int epollWait(int epfd, long events, int max, int timeoutMillis) throws Throwable {
        return (int) EPOLL_WAIT.invokeExact(epfd, events, max, timeoutMillis);
    }

    static int epollPwait2(int epfd, long events, int max, long timespec) throws Throwable {
        return (int) (long) SYSCALL.invokeExact(
                (long) SyscallNumber.SYS_epoll_pwait2, (long) epfd, events, (long) max, timespec, 0L, 0L);
    }

    static int ppoll(long fds, long count, long timespec) throws Throwable {
        return (int) (long) SYSCALL.invokeExact((long) SyscallNumber.SYS_ppoll, fds, count, timespec, 0L, 0L, 0L);
    }

    static int pselect6(int nfds, long readSet, long writeSet, long exceptSet, long timespec) throws Throwable {
        return (int) (long) SYSCALL.invokeExact(
                (long) SyscallNumber.SYS_pselect6, (long) nfds, readSet, writeSet, exceptSet, timespec, 0L);
    }

    static int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long argument, long argumentSize)
            throws Throwable {
        return (int) (long) SYSCALL.invokeExact(
                (long) SyscallNumber.SYS_io_uring_enter,
                (long) fd,
                (long) toSubmit,
                (long) minComplete,
                (long) flags,
                argument,
                argumentSize);
    }

    @SuppressWarnings("restricted") // needs --enable-native-access, as everything here
    private static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
    }
}
