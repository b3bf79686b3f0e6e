package dev.headrace.engine.hybrid;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.readiness.EpollBackend;
import dev.headrace.engine.readiness.Pollers;
import dev.headrace.engine.readiness.ReadinessDriver;
import dev.headrace.engine.uring.Rings;
import dev.headrace.engine.uring.UringBackend;
import dev.headrace.engine.uring.UringDriver;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether accepts on io_uring and data on epoll can be had here, and a driver for both.
 *
 * <p>Thread: any; a driver belongs to the thread that opens it.
 */
public final class HybridBackend {
    private static final int COMPLETION_ENTRIES = 512;
    private static final int SUBMISSION_ENTRIES = 64;

    /** Rungs of io_uring that concern data, which goes through epoll here. */
    static final Set<String> DATA_RUNGS = Set.of("buffer-ring", "multishot-receive", "skipped-completions");

    private HybridBackend() {}

    /** The rungs of the ring that accepts. */
    public static List<String> rungs() {
        return UringBackend.rungs().stream()
                .filter(rung -> !DATA_RUNGS.contains(rung) && !rung.equals(HybridDriver.DEFERRED))
                .toList();
    }

    /**
     * What a driver would use here, the rungs of epoll first.
     *
     * @throws IOException with cause and remedy when one half cannot be used
     */
    public static Capabilities capabilities() throws IOException {
        return HybridDriver.together(EpollBackend.capabilities(false), UringBackend.capabilities());
    }

    /** Null when both halves work here, otherwise the cause and the remedy on one line. */
    public static @Nullable String unavailableBecause() {
        String because = EpollBackend.unavailableBecause();
        return because != null ? because : UringBackend.unavailableBecause();
    }

    /**
     * Opens a driver, to be used by the calling thread alone.
     *
     * @param masked names of rungs of io_uring to do without
     * @throws IOException with cause and remedy when one half cannot be used
     */
    public static Driver open(Rings rings, Pollers pollers, Surroundings surroundings, Set<String> masked)
            throws IOException {
        ReadinessDriver data = EpollBackend.open(pollers, surroundings, false);
        try {
            Set<String> unused = new HashSet<>(masked);
            unused.add(HybridDriver.DEFERRED);
            UringDriver accepts =
                    UringBackend.openForAccepts(rings, surroundings, unused, SUBMISSION_ENTRIES, COMPLETION_ENTRIES);
            return new HybridDriver(accepts, data);
        } catch (IOException e) {
            data.close();
            throw e;
        }
    }
}
