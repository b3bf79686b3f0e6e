package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.Epoll;
import dev.headrace.abi.linux.EpollEvent;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;

/**
 * {@code epoll(7)}, level-triggered or edge-triggered.
 *
 * <p>Thread: the loop's. Owns: the epoll descriptor and the array of events.
 */
public final class EpollPoller implements Poller {
    /**
     * Events taken per wait. A batch is received whole before its answers are sent, so a larger one only pushes the
     * kernel's socket structures out of the cache before they are used again.
     */
    private static final int EVENTS_MAX = 64;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final SystemCalls calls;
    private final Arena arena = Arena.ofShared();
    private final long change;
    private final long events;
    private final long timeout;
    private final int epoll;
    private final boolean edgeTriggered;
    /** epoll_pwait2 came with Linux 5.11; before it, waits are rounded up to milliseconds. */
    private boolean nanosecondWaits = true;

    /**
     * Opens an epoll instance.
     *
     * @throws IOException when the kernel refuses, with its reason
     */
    public EpollPoller(SystemCalls calls, boolean edgeTriggered) throws IOException {
        this.calls = calls;
        this.edgeTriggered = edgeTriggered;
        this.epoll = calls.epollCreate1(Epoll.EPOLL_CLOEXEC);
        if (epoll < 0) {
            arena.close();
            throw SocketErrors.exception("epoll_create1", epoll);
        }
        this.change = arena.allocate(EpollEvent.SIZE, 8).address();
        this.events = arena.allocate((long) EVENTS_MAX * EpollEvent.SIZE, 64).address();
        this.timeout = arena.allocate(KernelTimespec.SIZE, 8).address();
    }

    @Override
    public boolean edgeTriggered() {
        return edgeTriggered;
    }

    @Override
    public int watch(int fd, boolean registered, int interest, long token) {
        int mask = edgeTriggered ? Epoll.EPOLLET : 0;
        if ((interest & READ) != 0) {
            mask |= Epoll.EPOLLIN | Epoll.EPOLLRDHUP;
        }
        if ((interest & WRITE) != 0) {
            mask |= Epoll.EPOLLOUT;
        }
        EpollEvent.events(change, mask);
        EpollEvent.data(change, token);
        return calls.epollCtl(epoll, registered ? Epoll.EPOLL_CTL_MOD : Epoll.EPOLL_CTL_ADD, fd, change);
    }

    @Override
    public int forget(int fd) {
        return calls.epollCtl(epoll, Epoll.EPOLL_CTL_DEL, fd, change);
    }

    @Override
    public int await(long waitNanos) {
        int ready = waitNanos > 0
                ? awaitFor(waitNanos)
                : calls.awaitEpoll(epoll, events, EVENTS_MAX, waitNanos < 0 ? -1 : 0);
        if (ready < 0 && ready != -Errno.EINTR) {
            throw new IllegalStateException("epoll_wait: " + Errno.describe(-ready));
        }
        return Math.max(ready, 0);
    }

    private int awaitFor(long waitNanos) {
        if (nanosecondWaits) {
            KernelTimespec.tvSec(timeout, waitNanos / NANOS_PER_SECOND);
            KernelTimespec.tvNsec(timeout, waitNanos % NANOS_PER_SECOND);
            int ready = calls.awaitEpollPrecisely(epoll, events, EVENTS_MAX, timeout);
            if (ready != -Errno.ENOSYS && ready != -Errno.EPERM) {
                return ready;
            }
            nanosecondWaits = false;
        }
        long millis = (waitNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
        return calls.awaitEpoll(epoll, events, EVENTS_MAX, (int) Math.min(millis, Integer.MAX_VALUE));
    }

    @Override
    public long token(int index) {
        return EpollEvent.data(events + (long) index * EpollEvent.SIZE);
    }

    @Override
    public int events(int index) {
        int mask = EpollEvent.events(events + (long) index * EpollEvent.SIZE);
        int bits = 0;
        if ((mask & (Epoll.EPOLLIN | Epoll.EPOLLRDHUP)) != 0) {
            bits |= READ;
        }
        if ((mask & Epoll.EPOLLRDHUP) != 0) {
            bits |= END;
        }
        if ((mask & Epoll.EPOLLOUT) != 0) {
            bits |= WRITE;
        }
        if ((mask & (Epoll.EPOLLHUP | Epoll.EPOLLERR)) != 0) {
            bits |= HANG_UP;
        }
        return bits;
    }

    @Override
    public void close() {
        calls.close(epoll);
        arena.close();
    }
}
