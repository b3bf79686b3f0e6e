package dev.headrace.lab.race;

/**
 * One combination of load that all servers are measured under.
 *
 * <p>Thread: any; immutable.
 *
 * @param active how many of the connections send; the others stay idle
 */
public record Cell(int connections, int payloadBytes, int depth, int active) {
    /** A load on every connection. */
    public Cell(int connections, int payloadBytes, int depth) {
        this(connections, payloadBytes, depth, connections);
    }

    /** For example {@code 100 connections} or {@code 1 connection, 16 in flight}. */
    public String describe() {
        return describeConnections() + (depth == 1 ? "" : ", " + depth + " in flight");
    }

    /** For example {@code 100 connections} or {@code 10000 connections, 100 active}. */
    public String describeConnections() {
        return connections
                + (connections == 1 ? " connection" : " connections")
                + (active == connections ? "" : ", " + active + " active");
    }
}
