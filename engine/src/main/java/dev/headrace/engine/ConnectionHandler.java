package dev.headrace.engine;

import dev.headrace.engine.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * What a protocol implements: the events of a connection.
 *
 * <p>Thread: all calls come on the connection's loop thread; a handler must not block it. A handler that throws has its
 * connection aborted, and {@link #closed} is told the cause. Handlers may call back into the connection at any time:
 * write, close, pause inside {@link #received} included.
 */
public interface ConnectionHandler {
    /** The connection is established; first call. */
    default void opened(Connection connection) {}

    /**
     * Bytes arrived, in order; boundaries mean nothing.
     *
     * @param data valid during this call, unless retained
     */
    void received(Connection connection, Buffer data);

    /** The peer has finished sending; writes still reach it. Closes the connection unless overridden. */
    default void inputEnded(Connection connection) {
        connection.close();
    }

    /**
     * The pending output has fallen to the low watermark, after a write was cut short or {@link Connection#writable}
     * was false.
     */
    default void drained(Connection connection) {}

    /**
     * The connection is gone and its descriptor closed; last call, exactly once.
     *
     * @param cause null after an orderly close; otherwise what went wrong
     */
    default void closed(Connection connection, @Nullable Throwable cause) {}
}
