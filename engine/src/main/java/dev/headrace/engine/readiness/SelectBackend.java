package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.Select;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.Surroundings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether select can be used here, and a driver on it.
 *
 * <p>Thread: any; a driver belongs to the thread that opens it.
 */
public final class SelectBackend {
    private static final String LIMIT = "descriptors below " + Select.FD_SETSIZE + " (FD_SETSIZE)";

    private SelectBackend() {}

    /** Null when select works here, otherwise the cause on one line. */
    public static @Nullable String unavailableBecause() {
        try {
            new SelectPoller(new SystemCalls()).close();
            return null;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /** What the driver uses: select has no optional rung, but a limit. */
    public static Capabilities capabilities() {
        return new Capabilities.Builder().add("fd-setsize", true, LIMIT).build();
    }

    /**
     * Opens a driver, to be used by the calling thread alone.
     *
     * @throws IOException with the cause when select cannot be used, or so many descriptors are open that it could not
     *     watch the driver's own
     */
    public static Driver open(Pollers pollers, Surroundings surroundings) throws IOException {
        Poller poller = pollers.select();
        try {
            EventFd wakeUp = surroundings.eventFds().open(true);
            int fd = wakeUp.fd();
            if (fd >= poller.descriptorsMax()) {
                wakeUp.close();
                throw new IOException("select watches " + LIMIT + ", and the next free one is " + fd);
            }
            return new ReadinessDriver(poller, wakeUp, surroundings, capabilities());
        } catch (IOException e) {
            poller.close();
            throw e;
        }
    }
}
