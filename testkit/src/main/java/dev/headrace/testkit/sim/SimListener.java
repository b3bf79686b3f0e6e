package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.Poll;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A listening socket and the connections that wait in it. Thread: the simulation's. */
final class SimListener extends SimFile {
    private final SimKernel kernel;
    private final int port;
    private final ArrayDeque<Endpoint> backlog = new ArrayDeque<>();
    private boolean closed;

    SimListener(SimKernel kernel, int port) {
        this.kernel = kernel;
        this.port = port;
    }

    int port() {
        return port;
    }

    /** A connection has come; false when nobody listens any more. */
    boolean offer(Endpoint endpoint) {
        if (closed) {
            return false;
        }
        kernel.progressed();
        backlog.add(endpoint);
        wake();
        return true;
    }

    @Nullable
    Endpoint accept() {
        Endpoint endpoint = backlog.poll();
        if (endpoint != null) {
            kernel.progressed();
        }
        return endpoint;
    }

    boolean isEmpty() {
        return backlog.isEmpty();
    }

    @Override
    int readiness() {
        return backlog.isEmpty() ? 0 : Poll.POLLIN;
    }

    @Override
    void released() {
        closed = true;
        kernel.stopListening(this);
        backlog.forEach(Endpoint::reset);
        backlog.clear();
    }
}
