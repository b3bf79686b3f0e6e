package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.Surroundings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether epoll can be used here, and a driver on it.
 *
 * <p>Thread: any; a driver belongs to the thread that opens it.
 */
public final class EpollBackend {
    private EpollBackend() {}

    /** Null when epoll works here, otherwise the cause on one line. */
    public static @Nullable String unavailableBecause() {
        try {
            new EpollPoller(new SystemCalls(), false).close();
            return null;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /** What the driver uses; epoll itself has no optional rung. */
    public static Capabilities capabilities(boolean edgeTriggered) {
        return new Capabilities.Builder()
                .add(
                        edgeTriggered ? "edge-triggered" : "level-triggered",
                        true,
                        "epoll_create1 is there (Linux 2.6.27)")
                .build();
    }

    /**
     * Opens a driver, to be used by the calling thread alone.
     *
     * @throws IOException with the cause when epoll cannot be used
     */
    public static ReadinessDriver open(Pollers pollers, Surroundings surroundings, boolean edgeTriggered)
            throws IOException {
        Poller poller = pollers.epoll(edgeTriggered);
        try {
            EventFd wakeUp = surroundings.eventFds().open(true);
            return new ReadinessDriver(poller, wakeUp, surroundings, capabilities(edgeTriggered));
        } catch (IOException e) {
            poller.close();
            throw e;
        }
    }
}
