package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.IoUring;
import dev.headrace.engine.World;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.readiness.Poller;
import dev.headrace.engine.readiness.Pollers;
import dev.headrace.engine.socket.Sockets;
import dev.headrace.engine.uring.Ring;
import dev.headrace.engine.uring.Rings;
import dev.headrace.engine.uring.Rungs;
import dev.headrace.engine.uring.UringBackend;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The simulated machine as an engine sees it.
 *
 * <p>Thread: the simulation's.
 */
public final class SimWorld implements World {
    private final SimKernel kernel;
    private final SimSockets sockets;
    private final UnaryOperator<Driver> around;

    /**
     * The machine of that kernel.
     *
     * @param around what stands in the place of a driver
     */
    public SimWorld(SimKernel kernel, UnaryOperator<Driver> around) {
        this.kernel = kernel;
        this.around = around;
        this.sockets = new SimSockets(kernel);
    }

    @Override
    public Clock clock() {
        return new Clock() {
            @Override
            public long nanoTime() {
                return kernel.nowNanos();
            }

            @Override
            public void pause(long nanos) {
                kernel.rest(nanos);
            }
        };
    }

    @Override
    public Driver around(Driver driver) {
        return around.apply(driver);
    }

    @Override
    public Sockets sockets() {
        return sockets;
    }

    @Override
    public EventFd openEventFd(boolean nonBlocking) {
        return new SimEventFd(kernel);
    }

    @Override
    public Rings rings() {
        return new Rings() {
            @Override
            public Rungs climb(Set<String> masked) {
                return rungs(masked);
            }

            @Override
            public Ring open(Rungs rungs, int submissionEntries, int completionEntries) {
                boolean deferred = (rungs.setupFlags() & IoUring.IORING_SETUP_DEFER_TASKRUN) != 0;
                return new SimRing(kernel, sockets, submissionEntries, completionEntries, deferred);
            }
        };
    }

    /** Everything there is, without what is masked. */
    private static Rungs rungs(Set<String> masked) {
        Capabilities.Builder words = new Capabilities.Builder();
        UringBackend.rungs().forEach(name -> words.add(name, !masked.contains(name), "simulated"));
        return new Rungs(
                masked.contains("defer-taskrun") ? 0 : IoUring.IORING_SETUP_DEFER_TASKRUN,
                !masked.contains("buffer-ring"),
                !masked.contains("multishot-accept"),
                !masked.contains("multishot-receive"),
                !masked.contains("skipped-completions"),
                false,
                false,
                false,
                words.build());
    }

    @Override
    public Pollers pollers() {
        return new Pollers() {
            @Override
            public Poller epoll(boolean edgeTriggered) {
                return new SimPoller(kernel, edgeTriggered ? SimPoller.Kind.EPOLL_ET : SimPoller.Kind.EPOLL_LT);
            }

            @Override
            public Poller poll() {
                return new SimPoller(kernel, SimPoller.Kind.POLL);
            }

            @Override
            public Poller select() {
                return new SimPoller(kernel, SimPoller.Kind.SELECT);
            }
        };
    }
}
