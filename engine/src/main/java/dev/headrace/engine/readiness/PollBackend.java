package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.Surroundings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether poll can be used here, and a driver on it.
 *
 * <p>Thread: any; a driver belongs to the thread that opens it.
 */
public final class PollBackend {
    private PollBackend() {}

    /** Null when poll works here, otherwise the cause on one line. */
    public static @Nullable String unavailableBecause() {
        try {
            new PollPoller(new SystemCalls()).close();
            return null;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /** What the driver uses; poll itself has no optional rung. */
    public static Capabilities capabilities() {
        return new Capabilities.Builder()
                .add("level-triggered", true, "ppoll is there (Linux 2.6.16)")
                .build();
    }

    /**
     * Opens a driver, to be used by the calling thread alone.
     *
     * @throws IOException with the cause when poll cannot be used
     */
    public static Driver open(Pollers pollers, Surroundings surroundings) throws IOException {
        Poller poller = pollers.poll();
        try {
            EventFd wakeUp = surroundings.eventFds().open(true);
            return new ReadinessDriver(poller, wakeUp, surroundings, capabilities());
        } catch (IOException e) {
            poller.close();
            throw e;
        }
    }
}
