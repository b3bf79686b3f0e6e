package dev.headrace.engine.uring;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether io_uring can be used here, with what, and a driver on it.
 *
 * <p>Thread: any; a driver belongs to the thread that opens it.
 */
public final class UringBackend {
    private static final int USUAL_SUBMISSIONS = 256;
    private static final int USUAL_COMPLETIONS = 2048;
    private static final int USUAL_BUFFERS = 256;

    /** What was found, by masked rungs: a running kernel does not change, and each climb costs rings. */
    private static final Map<Set<String>, Rungs> CLIMBED = new ConcurrentHashMap<>();

    private UringBackend() {}

    /** The optional features that the ladder tries, any of which can be masked. */
    public static List<String> rungs() {
        return Ladder.NAMES;
    }

    /** Null when io_uring works here, otherwise the cause and the remedy on one line. */
    public static @Nullable String unavailableBecause() {
        SystemCalls calls = new SystemCalls();
        try (BufferPool pool = new BufferPool(1, 64, Runnable::run, Thread.currentThread())) {
            Rungs rungs = climb(calls, Set.of());
            // The ladder's rings are small: one of the usual size may still find too little locked memory.
            try (LinuxRing ring = Ladder.build(calls, rungs, USUAL_SUBMISSIONS, USUAL_COMPLETIONS)) {
                if (rungs.bufferRing()) {
                    BufferRing.register(calls, ring, pool, USUAL_BUFFERS).close();
                }
            }
            return null;
        } catch (RingRefusedException e) {
            return Refusal.explain(e);
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /**
     * What a driver would use here.
     *
     * @throws IOException with cause and remedy when io_uring cannot be used
     */
    public static Capabilities capabilities() throws IOException {
        return climb(new SystemCalls(), Set.of()).capabilities();
    }

    /**
     * Opens a driver for accepting alone, to be used by the calling thread: its sockets do not wait, and nothing is
     * received.
     *
     * @param masked names of rungs to do without
     * @throws IOException with cause and remedy when io_uring cannot be used
     */
    public static UringDriver openForAccepts(
            SystemCalls calls,
            Sockets sockets,
            BufferPool pool,
            Counters counters,
            Set<String> masked,
            int submissionEntries,
            int completionEntries)
            throws IOException {
        Rungs rungs = climb(calls, masked);
        LinuxRing ring = build(calls, rungs, submissionEntries, completionEntries);
        try {
            EventFd wakeUp = new EventFd(calls, false);
            return new UringDriver(ring, rungs, BufferSupply.NONE, pool, sockets, wakeUp, counters)
                    .acceptingNonBlocking();
        } catch (IOException e) {
            ring.close();
            throw e;
        }
    }

    /**
     * Opens a driver, to be used by the calling thread alone.
     *
     * @param masked names of rungs to do without
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
            Set<String> masked,
            int submissionEntries,
            int completionEntries,
            int buffersPublished)
            throws IOException {
        Rungs rungs = climb(calls, masked);
        LinuxRing ring = build(calls, rungs, submissionEntries, completionEntries);
        try {
            EventFd wakeUp = new EventFd(calls, false);
            BufferSupply buffers = rungs.bufferRing()
                    ? BufferRing.register(calls, ring, pool, buffersPublished)
                    : new BufferRequests(pool, buffersPublished, rungs.skippedCompletions());
            return new UringDriver(ring, rungs, buffers, pool, sockets, wakeUp, counters);
        } catch (RingRefusedException e) {
            ring.close();
            throw new IOException(Refusal.explain(e), e);
        } catch (IOException e) {
            ring.close();
            throw e;
        }
    }

    private static Rungs climb(SystemCalls calls, Set<String> masked) throws IOException {
        Rungs known = CLIMBED.get(masked);
        if (known != null) {
            return known;
        }
        try {
            Rungs rungs = Ladder.climb(calls, masked);
            CLIMBED.put(Set.copyOf(masked), rungs);
            return rungs;
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
        }
    }

    private static LinuxRing build(SystemCalls calls, Rungs rungs, int submissionEntries, int completionEntries)
            throws IOException {
        try {
            return Ladder.build(calls, rungs, submissionEntries, completionEntries);
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
        }
    }
}
