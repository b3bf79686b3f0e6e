package dev.headrace.engine.driver;

import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;

/**
 * What every driver is given by the loop that it serves.
 *
 * @param sockets the socket calls
 * @param clock the loop's
 * @param eventFds opens the descriptor that the driver is woken by
 * @param pool the slices to receive into
 * @param counters what the loop counts
 */
public record Surroundings(Sockets sockets, Clock clock, EventFds eventFds, BufferPool pool, Counters counters) {
    /** Opens eventfds. */
    public interface EventFds {
        /**
         * Opens one.
         *
         * @param nonBlocking whether a read of a zero count fails with EAGAIN instead of waiting
         * @throws IOException when the kernel refuses, with its reason
         */
        EventFd open(boolean nonBlocking) throws IOException;
    }
}
