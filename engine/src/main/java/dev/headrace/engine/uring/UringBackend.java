package dev.headrace.engine.uring;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Surroundings;
import java.io.IOException;
import java.util.List;
import java.util.Set;
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

    private UringBackend() {}

    /** The optional features that the ladder tries, any of which can be masked. */
    public static List<String> rungs() {
        return Ladder.NAMES;
    }

    /** Null when io_uring works here, otherwise the cause and the remedy on one line. */
    public static @Nullable String unavailableBecause() {
        SystemCalls calls = new SystemCalls();
        try (BufferPool pool = new BufferPool(1, 64, Runnable::run, Thread.currentThread())) {
            Rings rings = new LinuxRings(calls);
            Rungs rungs = rings.climb(Set.of());
            // The ladder's rings are small: one of the usual size may still find too little locked memory.
            try (Ring ring = rings.open(rungs, USUAL_SUBMISSIONS, USUAL_COMPLETIONS)) {
                if (rungs.bufferRing()) {
                    BufferRing.register(calls, ring, pool, USUAL_BUFFERS).close();
                }
            }
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
            return new LinuxRings(new SystemCalls()).climb(Set.of()).capabilities();
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
        }
    }

    /**
     * Opens a driver for accepting alone, to be used by the calling thread: its sockets do not wait, and nothing is
     * received.
     *
     * @param masked names of rungs to do without
     * @throws IOException with cause and remedy when io_uring cannot be used
     */
    public static UringDriver openForAccepts(
            Rings rings, Surroundings surroundings, Set<String> masked, int submissionEntries, int completionEntries)
            throws IOException {
        try {
            Rungs rungs = rings.climb(masked);
            return over(rings.open(rungs, submissionEntries, completionEntries), rungs, surroundings, 0)
                    .acceptingNonBlocking();
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
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
            Rings rings,
            Surroundings surroundings,
            Set<String> masked,
            int submissionEntries,
            int completionEntries,
            int buffersPublished)
            throws IOException {
        try {
            Rungs rungs = rings.climb(masked);
            Ring ring = rings.open(rungs, submissionEntries, completionEntries);
            return over(ring, rungs, surroundings, buffersPublished);
        } catch (RingRefusedException e) {
            throw new IOException(Refusal.explain(e), e);
        }
    }

    private static UringDriver over(Ring ring, Rungs rungs, Surroundings surroundings, int buffersPublished)
            throws IOException {
        try {
            BufferSupply buffers = supply(ring, rungs, surroundings.pool(), buffersPublished);
            return new UringDriver(ring, rungs, buffers, surroundings.eventFds().open(false), surroundings);
        } catch (IOException e) {
            ring.close();
            throw e;
        }
    }

    private static BufferSupply supply(Ring ring, Rungs rungs, BufferPool pool, int buffersPublished)
            throws RingRefusedException {
        if (buffersPublished == 0) {
            return BufferSupply.NONE;
        }
        return rungs.bufferRing()
                ? BufferRing.register(new SystemCalls(), ring, pool, buffersPublished)
                : new BufferRequests(pool, buffersPublished, rungs.skippedCompletions());
    }
}
