package dev.headrace.engine;

import java.net.InetSocketAddress;

/**
 * An attempt to connect that may be called off: it ends in a connection or in one call of {@link ConnectFailure}, never in
 * both.
 *
 * <p>Thread: any. Owns: nothing the caller has to give back.
 */
public interface ConnectAttempt {
    /** Where to. */
    InetSocketAddress address();

    /**
     * Gives the attempt up: the failure is told that it was cancelled, and a connection that comes up all the same is closed
     * before any handler hears of it. Does nothing once either outcome was told.
     */
    void cancel();
}
