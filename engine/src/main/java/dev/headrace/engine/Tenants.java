package dev.headrace.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who lives on a loop: connections, attempts to connect and listening sockets. The loop does not end before they do.
 *
 * <p>Thread: the loop's. Owns: the lists; never those in them.
 */
final class Tenants {
    private @Nullable Connection first;
    private int connections;
    private final Set<Connecting> attempts = new HashSet<>();
    private final Set<Acceptor> acceptors = new HashSet<>();

    boolean none() {
        return connections == 0 && attempts.isEmpty() && acceptors.isEmpty();
    }

    void moveIn(Connection connection) {
        connection.next = first;
        if (first != null) {
            first.previous = connection;
        }
        first = connection;
        connections++;
    }

    void moveOut(Connection connection) {
        if (connection.previous != null) {
            connection.previous.next = connection.next;
        } else {
            first = connection.next;
        }
        if (connection.next != null) {
            connection.next.previous = connection.previous;
        }
        connections--;
    }

    void moveIn(Connecting attempt) {
        attempts.add(attempt);
    }

    void moveOut(Connecting attempt) {
        attempts.remove(attempt);
    }

    void moveIn(Acceptor acceptor) {
        acceptors.add(acceptor);
    }

    void moveOut(Acceptor acceptor) {
        acceptors.remove(acceptor);
    }

    /** Attempts are given up, connections end in order. */
    void close(String because) {
        List.copyOf(attempts).forEach(attempt -> attempt.giveUp(because));
        forEachConnection(Connection::close);
    }

    void abort() {
        forEachConnection(Connection::abort);
    }

    /** The loop is dying: everything is cancelled, and listening sockets are left for others. */
    void endBecauseOf(Throwable cause) {
        List.copyOf(acceptors).forEach(Acceptor::release);
        List.copyOf(attempts).forEach(attempt -> attempt.giveUp("the loop has died: " + cause));
        forEachConnection(connection -> connection.fail(cause));
    }

    /** The loop is dead: descriptors are closed, whatever was in flight. */
    void abandonBecauseOf(Throwable cause) {
        forEachConnection(connection -> connection.abandon(cause));
        List.copyOf(attempts).forEach(attempt -> attempt.abandon("the loop has died: " + cause));
        attempts.clear();
        acceptors.clear();
    }

    private void forEachConnection(Consumer<Connection> action) {
        Connection connection = first;
        while (connection != null) {
            Connection following = connection.next;
            action.accept(connection);
            connection = following;
        }
    }
}
