package dev.headrace.lab.race;

/**
 * One combination of load that all servers are measured under.
 *
 * <p>Thread: any; immutable.
 */
public record Cell(int connections, int payloadBytes, int depth) {
    /** For example {@code 100 connections} or {@code 1 connection, 16 in flight}. */
    public String describe() {
        return connections
                + (connections == 1 ? " connection" : " connections")
                + (depth == 1 ? "" : ", " + depth + " in flight");
    }
}
