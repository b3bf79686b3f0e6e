package dev.headrace.abi.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Linux system calls. Every method gives the result of the call, or the negative errno (see {@link Errno}) where it
 * failed; none throws. Addresses are absolute, and the memory behind them is the caller's.
 *
 * <p>All calls are ordinary ones, during which the garbage collector may run: nearly each of them can block or run the
 * kernel's network stack on the calling thread, and a critical call would hold up every collection meanwhile.
 *
 * <p>Thread: one instance per thread; it holds the memory into which errno is saved.
 *
 * <p>Owns: that memory.
 */
public final class SystemCalls {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option SAVE_ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO = Linker.Option.captureStateLayout()
            .varHandle(PathElement.groupElement("errno"))
            .withInvokeExactBehavior();

    private static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SOCKETPAIR =
            function("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle BIND = function("bind", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle LISTEN = function("listen", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle ACCEPT4 = function("accept4", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = function("connect", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SHUTDOWN = function("shutdown", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle GETSOCKNAME = function("getsockname", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GETPEERNAME = function("getpeername", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            function("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle RECV = function("recv", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SEND = function("send", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECVMSG = function("recvmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG = function("sendmsg", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle READ = function("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = function("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EVENTFD = function("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle PIPE2 = function("pipe2", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FCNTL = variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle IOCTL = variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EPOLL_CREATE1 = function("epoll_create1", JAVA_INT, JAVA_INT);
    private static final MethodHandle EPOLL_CTL =
            function("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle EPOLL_WAIT =
            function("epoll_wait", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle POLL = function("poll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MMAP =
            function("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = function("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MADVISE = function("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SCHED_SETAFFINITY =
            function("sched_setaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SCHED_GETAFFINITY =
            function("sched_getaffinity", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PRLIMIT = function("prlimit", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLOCK_GETTIME = function("clock_gettime", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle PRCTL =
            variadic("prctl", 1, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GETEUID = function("geteuid", JAVA_INT);
    private static final MethodHandle GETTID = variadic("syscall", 1, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle IO_URING_SETUP =
            variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle IO_URING_ENTER = variadic(
            "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle IO_URING_REGISTER =
            variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle EPOLL_PWAIT2 = variadic(
            "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PPOLL =
            variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PSELECT6 = variadic(
            "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PERF_EVENT_OPEN =
            variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    /** A {@link KernelTimespec} of zero; calls that store the time that is left leave zero alone. */
    private static final long NO_TIME =
            Arena.global().allocate(KernelTimespec.SIZE, 8).address();

    private final MemorySegment errno = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

    /** Makes the calls available to the calling thread. */
    public SystemCalls() {}

    /** socket(2): a new descriptor. */
    public int socket(int domain, int type, int protocol) {
        try {
            return result((int) SOCKET.invokeExact(errno, domain, type, protocol));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** socketpair(2): two connected descriptors, stored as two ints at {@code fds}. */
    public int socketpair(int domain, int type, int protocol, long fds) {
        try {
            return result((int) SOCKETPAIR.invokeExact(errno, domain, type, protocol, fds));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** bind(2). */
    public int bind(int fd, long addr, int len) {
        try {
            return result((int) BIND.invokeExact(errno, fd, addr, len));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** listen(2). */
    public int listen(int fd, int backlog) {
        try {
            return result((int) LISTEN.invokeExact(errno, fd, backlog));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** accept4(2): the descriptor of the next connection. Both addresses may be 0. */
    public int accept4(int fd, long addr, long lenAddress, int flags) {
        try {
            return result((int) ACCEPT4.invokeExact(errno, fd, addr, lenAddress, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** connect(2). */
    public int connect(int fd, long addr, int len) {
        try {
            return result((int) CONNECT.invokeExact(errno, fd, addr, len));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** shutdown(2). */
    public int shutdown(int fd, int how) {
        try {
            return result((int) SHUTDOWN.invokeExact(errno, fd, how));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** close(2). Not to be repeated on EINTR: Linux has freed the descriptor by then. */
    public int close(int fd) {
        try {
            return result((int) CLOSE.invokeExact(errno, fd));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** getsockname(2). */
    public int getsockname(int fd, long addr, long lenAddress) {
        try {
            return result((int) GETSOCKNAME.invokeExact(errno, fd, addr, lenAddress));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** getpeername(2). */
    public int getpeername(int fd, long addr, long lenAddress) {
        try {
            return result((int) GETPEERNAME.invokeExact(errno, fd, addr, lenAddress));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** setsockopt(2). */
    public int setsockopt(int fd, int level, int name, long addr, int len) {
        try {
            return result((int) SETSOCKOPT.invokeExact(errno, fd, level, name, addr, len));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** getsockopt(2). */
    public int getsockopt(int fd, int level, int name, long addr, long lenAddress) {
        try {
            return result((int) GETSOCKOPT.invokeExact(errno, fd, level, name, addr, lenAddress));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** recv(2): bytes received, 0 at the end of the stream. */
    public long recv(int fd, long addr, long len, int flags) {
        try {
            return result((long) RECV.invokeExact(errno, fd, addr, len, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** send(2): bytes taken, which may be fewer than asked for. */
    public long send(int fd, long addr, long len, int flags) {
        try {
            return result((long) SEND.invokeExact(errno, fd, addr, len, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** recvmsg(2): bytes received, 0 at the end of the stream. */
    public long recvmsg(int fd, long msghdr, int flags) {
        try {
            return result((long) RECVMSG.invokeExact(errno, fd, msghdr, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** sendmsg(2): bytes taken, which may be fewer than asked for. */
    public long sendmsg(int fd, long msghdr, int flags) {
        try {
            return result((long) SENDMSG.invokeExact(errno, fd, msghdr, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** read(2): bytes read, 0 at the end. */
    public long read(int fd, long addr, long len) {
        try {
            return result((long) READ.invokeExact(errno, fd, addr, len));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** write(2): bytes written, which may be fewer than asked for. */
    public long write(int fd, long addr, long len) {
        try {
            return result((long) WRITE.invokeExact(errno, fd, addr, len));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** eventfd(2): a new descriptor. */
    public int eventfd(int initial, int flags) {
        try {
            return result((int) EVENTFD.invokeExact(errno, initial, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** pipe2(2): the read end and the write end, stored as two ints at {@code fds}. */
    public int pipe2(long fds, int flags) {
        try {
            return result((int) PIPE2.invokeExact(errno, fds, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** fcntl(2) with a number as argument. */
    public int fcntl(int fd, int command, int argument) {
        try {
            return result((int) FCNTL.invokeExact(errno, fd, command, argument));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** ioctl(2). */
    public int ioctl(int fd, long request, long argument) {
        try {
            return result((int) IOCTL.invokeExact(errno, fd, request, argument));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** epoll_create1(2): a new descriptor. */
    public int epollCreate1(int flags) {
        try {
            return result((int) EPOLL_CREATE1.invokeExact(errno, flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** epoll_ctl(2). {@code event} is the address of an {@link EpollEvent}. */
    public int epollCtl(int epfd, int op, int fd, long event) {
        try {
            return result((int) EPOLL_CTL.invokeExact(errno, epfd, op, fd, event));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** epoll_wait(2): the number of events stored. A time-out of -1 waits for ever. */
    public int epollWait(int epfd, long events, int max, int timeoutMillis) {
        try {
            return result((int) EPOLL_WAIT.invokeExact(errno, epfd, events, max, timeoutMillis));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** As {@link #epollWait}, allocating nothing in any process; an interrupted wait may end as one without events. */
    public int awaitEpoll(int epfd, long events, int max, int timeoutMillis) {
        try {
            int ready = Waits.epollWait(epfd, events, max, timeoutMillis);
            return ready >= 0 ? ready : epollWait(epfd, events, max, 0);
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** poll(2): the number of {@link Pollfd} with an answer. A time-out of -1 waits for ever. */
    public int poll(long fds, long count, int timeoutMillis) {
        try {
            return result((int) POLL.invokeExact(errno, fds, count, timeoutMillis));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** mmap(2): the address of the mapping; a result from -4095 to -1 is an error, as no mapping ever lies there. */
    public long mmap(long addr, long len, int prot, int flags, int fd, long off) {
        try {
            return result((long) MMAP.invokeExact(errno, addr, len, prot, flags, fd, off));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** munmap(2). */
    public int munmap(long addr, long len) {
        try {
            return result((int) MUNMAP.invokeExact(errno, addr, len));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** madvise(2). */
    public int madvise(long addr, long len, int advice) {
        try {
            return result((int) MADVISE.invokeExact(errno, addr, len, advice));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** sched_setaffinity(2): pins a thread, 0 being the caller. {@code mask} is the address of a {@link CpuSet}. */
    public int schedSetaffinity(int pid, long size, long mask) {
        try {
            return result((int) SCHED_SETAFFINITY.invokeExact(errno, pid, size, mask));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** sched_getaffinity(2): stores the processors a thread may run on, 0 being the caller. */
    public int schedGetaffinity(int pid, long size, long mask) {
        try {
            return result((int) SCHED_GETAFFINITY.invokeExact(errno, pid, size, mask));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** prlimit(2): sets and reads a {@link Rlimit}, pid 0 being the caller; either address may be 0. */
    public int prlimit(int pid, int resource, long newLimit, long oldLimit) {
        try {
            return result((int) PRLIMIT.invokeExact(errno, pid, resource, newLimit, oldLimit));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** clock_gettime(2): stores the time as a {@link KernelTimespec}. */
    public int clockGettime(int clock, long timespec) {
        try {
            return result((int) CLOCK_GETTIME.invokeExact(errno, clock, timespec));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** prctl(2). */
    public int prctl(int option, long a2, long a3, long a4, long a5) {
        try {
            return result((int) PRCTL.invokeExact(errno, option, a2, a3, a4, a5));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** geteuid(2): the effective user. */
    public int geteuid() {
        try {
            return result((int) GETEUID.invokeExact(errno));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** gettid(2): the number of the calling thread. */
    public int gettid() {
        try {
            return (int) result((long) GETTID.invokeExact(errno, (long) SyscallNumber.SYS_gettid));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** io_uring_setup(2): a new descriptor. {@code params} is the address of an {@link IoUringParams}. */
    public int ioUringSetup(int entries, long params) {
        try {
            return (int) result((long)
                    IO_URING_SETUP.invokeExact(errno, (long) SyscallNumber.SYS_io_uring_setup, (long) entries, params));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** io_uring_enter(2): the number of entries submitted. */
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long argument, long argumentSize) {
        try {
            return (int) result((long) IO_URING_ENTER.invokeExact(
                    errno,
                    (long) SyscallNumber.SYS_io_uring_enter,
                    (long) fd,
                    (long) toSubmit,
                    (long) minComplete,
                    (long) flags,
                    argument,
                    argumentSize));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /**
     * As {@link #ioUringEnter}, allocating nothing in any process; a wait that timed out or was interrupted may end as one
     * that submitted nothing.
     */
    public int awaitIoUring(int fd, int toSubmit, int minComplete, int flags, long argument, long argumentSize) {
        try {
            int submitted = Waits.ioUringEnter(fd, toSubmit, minComplete, flags, argument, argumentSize);
            return submitted >= 0 ? submitted : ioUringEnter(fd, toSubmit, 0, flags, argument, argumentSize);
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** io_uring_register(2). */
    public int ioUringRegister(int fd, int opcode, long argument, int count) {
        try {
            return (int) result((long) IO_URING_REGISTER.invokeExact(
                    errno, (long) SyscallNumber.SYS_io_uring_register, (long) fd, (long) opcode, argument, (long)
                            count));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /**
     * epoll_pwait2(2) with no signal mask: the number of events stored. {@code timespec} is the address of a {@link
     * KernelTimespec}, or 0 to wait for ever. Since Linux 5.11.
     */
    public int epollPwait2(int epfd, long events, int max, long timespec) {
        try {
            return (int) result((long) EPOLL_PWAIT2.invokeExact(
                    errno, (long) SyscallNumber.SYS_epoll_pwait2, (long) epfd, events, (long) max, timespec, 0L, 0L));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** As {@link #epollPwait2}, allocating nothing in any process; an interrupted wait may end as one without events. */
    public int awaitEpollPrecisely(int epfd, long events, int max, long timespec) {
        try {
            int ready = Waits.epollPwait2(epfd, events, max, timespec);
            return ready >= 0 ? ready : epollPwait2(epfd, events, max, NO_TIME);
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /**
     * ppoll(2) with no signal mask: the number of {@link Pollfd} with an answer. {@code timespec} is the address of a
     * {@link KernelTimespec}, into which the kernel stores the time that is left, or 0 to wait for ever.
     */
    public int ppoll(long fds, long count, long timespec) {
        try {
            return (int) result(
                    (long) PPOLL.invokeExact(errno, (long) SyscallNumber.SYS_ppoll, fds, count, timespec, 0L, 0L));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** As {@link #ppoll}, allocating nothing in any process; an interrupted wait may end as one without answers. */
    public int awaitPoll(long fds, long count, long timespec) {
        try {
            int ready = Waits.ppoll(fds, count, timespec);
            return ready >= 0 ? ready : ppoll(fds, count, NO_TIME);
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /**
     * pselect6(2) with no signal mask: the number of bits left in the sets, each the address of an {@link FdSet} or 0.
     * {@code timespec} is the address of a {@link KernelTimespec}, into which the kernel stores the time that is left, or
     * 0 to wait for ever. A call that fails leaves the sets alone.
     */
    public int pselect6(int nfds, long readSet, long writeSet, long exceptSet, long timespec) {
        try {
            return (int) result((long) PSELECT6.invokeExact(
                    errno, (long) SyscallNumber.SYS_pselect6, (long) nfds, readSet, writeSet, exceptSet, timespec, 0L));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** As {@link #pselect6}, allocating nothing in any process; an interrupted wait may end as one that left no bit. */
    public int awaitSelect(int nfds, long readSet, long writeSet, long exceptSet, long timespec) {
        try {
            int ready = Waits.pselect6(nfds, readSet, writeSet, exceptSet, timespec);
            return ready >= 0 ? ready : pselect6(nfds, readSet, writeSet, exceptSet, NO_TIME);
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    /** perf_event_open(2): a new descriptor. {@code attr} is the address of a {@link PerfEventAttr}. */
    public int perfEventOpen(long attr, int pid, int cpu, int groupFd, long flags) {
        try {
            return (int) result((long) PERF_EVENT_OPEN.invokeExact(
                    errno,
                    (long) SyscallNumber.SYS_perf_event_open,
                    attr,
                    (long) pid,
                    (long) cpu,
                    (long) groupFd,
                    flags));
        } catch (Throwable e) {
            throw unlinkable(e);
        }
    }

    private int result(int value) {
        return value == -1 ? -(int) ERRNO.get(errno, 0L) : value;
    }

    private long result(long value) {
        return value == -1 ? -(int) ERRNO.get(errno, 0L) : value;
    }

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return link(name, FunctionDescriptor.of(result, arguments), SAVE_ERRNO);
    }

    private static MethodHandle variadic(
            String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
        Linker.Option variadic = Linker.Option.firstVariadicArg(firstVariadic);
        return link(name, FunctionDescriptor.of(result, arguments), SAVE_ERRNO, variadic);
    }

    @SuppressWarnings("restricted") // needs --enable-native-access, as everything here
    private static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
    }

    /** A handle throws only when it was linked or called with the wrong type, which is our mistake. */
    private static AssertionError unlinkable(Throwable cause) {
        return new AssertionError(cause);
    }
}
