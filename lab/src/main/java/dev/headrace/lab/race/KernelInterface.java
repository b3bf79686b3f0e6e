package dev.headrace.lab.race;

import dev.headrace.engine.Backend;
import dev.headrace.lab.measure.DescriptorLimit;
import java.util.Optional;

/** The interface to the kernel that a server is built on. */
public enum KernelInterface {
    IO_URING("io_uring"),
    /** Level-triggered, as the rivals' event loops have it. */
    EPOLL("epoll-lt"),
    EPOLL_EDGE("epoll-et"),
    POLL("poll"),
    SELECT("select"),
    /** Accepts on a ring, data on epoll. */
    HYBRID("hybrid");

    /** The sets of select(2) hold so many descriptors, numbered from 0; a higher number has no bit there. */
    private static final int FD_SETSIZE = 1024;

    private final String backendId;

    KernelInterface(String backendId) {
        this.backendId = backendId;
    }

    /** The interface that a backend of ours is. */
    public static KernelInterface of(Backend backend) {
        for (KernelInterface candidate : values()) {
            if (candidate.backendId.equals(backend.id())) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("no kernel interface is known for backend " + backend.id());
    }

    /** The limit that keeps one process from holding so many connections, whatever it is allowed; empty when none does. */
    public Optional<InterfaceLimit> limitBelow(int connections) {
        int connectionsMax = FD_SETSIZE - DescriptorLimit.RESERVE;
        if (this != SELECT || connections <= connectionsMax) {
            return Optional.empty();
        }
        return Optional.of(new InterfaceLimit(
                "FD_SETSIZE",
                "select can watch descriptors below " + FD_SETSIZE + ", and " + DescriptorLimit.RESERVE
                        + " of them are set aside for what a process needs itself: at most " + connectionsMax
                        + " connections"));
    }
}
