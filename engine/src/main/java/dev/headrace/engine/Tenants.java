package dev.headrace.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who lives on a loop: connections, attempts to connect and listeners. The loop does not end before they do.
 *
 * <p>Thread: the loop's. Owns: the lists; never those in them.
 */
final class Tenants {
    private @Nullable Connection first;
    private int connections;
    private final Set<Connecting> attempts = new HashSet<>();
    private int listeners;

    boolean none() {
        return connections == 0 && attempts.isEmpty() && listeners == 0;
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

    void listenerMovedIn() {
        listeners++;
    }

    void listenerMovedOut() {
        listeners--;
    }

    /** Attempts are given up, connections end in order. */
    void close(String because) {
        List.copyOf(attempts).forEach(attempt -> attempt.giveUp(because));
        forEachConnection(Connection::close);
    }

    void abort() {
        forEachConnection(Connection::abort);
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
