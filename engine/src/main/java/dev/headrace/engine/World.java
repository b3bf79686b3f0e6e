package dev.headrace.engine;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.LinuxEventFd;
import dev.headrace.engine.readiness.LinuxPollers;
import dev.headrace.engine.readiness.Pollers;
import dev.headrace.engine.socket.LinuxSockets;
import dev.headrace.engine.socket.Sockets;
import dev.headrace.engine.uring.LinuxRings;
import dev.headrace.engine.uring.Rings;
import java.io.IOException;

/**
 * All that a loop sees of the machine: its clock and its kernel. The running one, or in tests one that is simulated or
 * misbehaves on purpose.
 *
 * <p>Thread: a world is asked for by the thread that will use it, and used by that alone, but for the clock. Owns: nothing;
 * what it opens belongs to whoever asked.
 */
public interface World {
    Clock clock();

    Sockets sockets();

    Rings rings();

    Pollers pollers();

    /**
     * Opens an eventfd.
     *
     * @param nonBlocking whether a read of a zero count fails with EAGAIN instead of waiting
     * @throws IOException when the kernel refuses, with its reason
     */
    EventFd openEventFd(boolean nonBlocking) throws IOException;

    /** What a loop uses in the place of the driver that was opened for it: the driver itself, or something around it. */
    default Driver around(Driver driver) {
        return driver;
    }

    /** The running kernel as the calling thread sees it. */
    static World real() {
        return new RealWorld();
    }

    /** The running kernel. */
    final class RealWorld implements World {
        private final SystemCalls calls = new SystemCalls();
        private final Sockets sockets = new LinuxSockets(calls);

        private RealWorld() {}

        @Override
        public Clock clock() {
            return Clock.SYSTEM;
        }

        @Override
        public Sockets sockets() {
            return sockets;
        }

        @Override
        public Rings rings() {
            return new LinuxRings(calls);
        }

        @Override
        public Pollers pollers() {
            return new LinuxPollers(calls);
        }

        @Override
        public EventFd openEventFd(boolean nonBlocking) throws IOException {
            return new LinuxEventFd(calls, nonBlocking);
        }
    }
}
