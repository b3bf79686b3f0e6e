package dev.headrace.engine.uring;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether io_uring can be used here, with what, and a driver on it.
 *
 * <p>Thread: any; a driver belongs to the thread that opens it.
 */
public final class UringBackend {
    private UringBackend() {}

    /** Null when io_uring works here, otherwise the cause and the remedy on one line. */
    public static @Nullable String unavailableBecause() {
        try {
            Ladder.climb(new SystemCalls());
            return null;
        } catch (RingRefusedException e) {
            return Refusal.explain(e);
        }
    }

    /**
     * What a driver would use here.
     *
     * @throws IOException with cause and remedy when io_uring cannot be used
     */
    public static Capabilities capabilities() throws IOException {
        try {
            return Ladder.climb(new SystemCalls()).capabilities();
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
        }
    }

    /**
     * Opens a driver, to be used by the calling thread alone.
     *
     * @param submissionEntries size of the submission queue, a power of two
     * @param completionEntries size of the completion queue, a power of two
     * @param buffersPublished how many buffers of the pool the kernel may hold
     * @throws IOException with cause and remedy when io_uring cannot be used
     */
    public static Driver open(
            SystemCalls calls,
            Sockets sockets,
            BufferPool pool,
            Counters counters,
            int submissionEntries,
            int completionEntries,
            int buffersPublished)
            throws IOException {
        try {
            Rungs rungs = Ladder.climb(calls);
            LinuxRing ring = Ladder.build(calls, rungs, submissionEntries, completionEntries);
            BufferRing buffers = BufferRing.register(calls, ring, pool, buffersPublished);
            EventFd wakeUp = new EventFd(calls, false);
            return new UringDriver(ring, rungs, buffers, pool, sockets, wakeUp, counters);
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
        }
    }
}
