package dev.headrace.lab.race;

/**
 * Hears how a race is going.
 *
 * <p>Thread: the one that runs the race.
 */
public interface RaceProgress {
    /** A server is up and says this about itself. */
    void serverStarted(String server, String configuration);

    /** A server is out. */
    void serverFailed(String description);

    /**
     * Something has begun.
     *
     * @param what for example {@code 100 connections, round 7: netty-epoll}
     * @param remainingNanos an estimate of the time until the end, at most
     */
    void step(String what, long remainingNanos);
}
