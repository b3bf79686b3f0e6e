package dev.headrace.engine.driver;

import dev.headrace.abi.linux.Eventfd;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/**
 * An {@code eventfd(2)}: what a loop waits on so that other threads can wake it.
 *
 * <p>Thread: {@link #signal} from any thread; the rest the loop's. Owns: the descriptor, until {@link #close}.
 */
public final class EventFd implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final long one;
    private final long drained;
    private final int fd;
    /** Has an errno capture of its own, since signals come from many threads; guarded by this. */
    private final SystemCalls signalCalls = new SystemCalls();

    private boolean closed;

    /**
     * Creates the descriptor.
     *
     * @param nonBlocking whether a read of a zero count fails with EAGAIN instead of waiting
     * @throws IOException when the kernel refuses, with its reason
     */
    public EventFd(SystemCalls calls, boolean nonBlocking) throws IOException {
        this.fd = calls.eventfd(0, Eventfd.EFD_CLOEXEC | (nonBlocking ? Eventfd.EFD_NONBLOCK : 0));
        if (fd < 0) {
            arena.close();
            throw SocketErrors.exception("eventfd", fd);
        }
        this.one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L).address();
        this.drained = arena.allocate(ValueLayout.JAVA_LONG).address();
    }

    public int fd() {
        return fd;
    }

    /** Eight bytes for the count that a read takes. */
    public long drainAddress() {
        return drained;
    }

    /** Makes the descriptor readable. */
    public synchronized void signal() {
        if (!closed) {
            signalCalls.write(fd, one, Long.BYTES);
        }
    }

    /** Takes the count, so that the descriptor is not readable any more. */
    public void drain(SystemCalls calls) {
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
