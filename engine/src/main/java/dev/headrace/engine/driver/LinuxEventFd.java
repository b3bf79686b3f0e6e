package dev.headrace.engine.driver;

import dev.headrace.abi.linux.Eventfd;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/**
 * An {@code eventfd(2)} of the running kernel.
 *
 * <p>Thread: {@link #signal} from any thread; the rest the loop's. Owns: the descriptor, until {@link #close}.
 */
public final class LinuxEventFd implements EventFd {
    private final Arena arena = Arena.ofShared();
    private final long one;
    private final long drained;
    private final int fd;
    private final SystemCalls calls;
    /** Has an errno capture of its own, since signals come from many threads; guarded by this. */
    private final SystemCalls signalCalls = new SystemCalls();

    private boolean closed;

    /**
     * Creates the descriptor.
     *
     * @param calls of the thread that will drain it
     * @param nonBlocking whether a read of a zero count fails with EAGAIN instead of waiting
     * @throws IOException when the kernel refuses, with its reason
     */
    public LinuxEventFd(SystemCalls calls, boolean nonBlocking) throws IOException {
        this.calls = calls;
        this.fd = calls.eventfd(0, Eventfd.EFD_CLOEXEC | (nonBlocking ? Eventfd.EFD_NONBLOCK : 0));
        if (fd < 0) {
            arena.close();
            throw SocketErrors.exception("eventfd", fd);
        }
        this.one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L).address();
        this.drained = arena.allocate(ValueLayout.JAVA_LONG).address();
    }

    @Override
    public int fd() {
        return fd;
    }

    @Override
    public long drainAddress() {
        return drained;
    }

    @Override
    public synchronized void signal() {
        if (!closed) {
            signalCalls.write(fd, one, Long.BYTES);
        }
    }

    @Override
    public void drain() {
        calls.read(fd, drained, Long.BYTES);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            signalCalls.close(fd);
            arena.close();
        }
    }
}
