package dev.headrace.lab.workload;

/**
 * How much of what a load generator sends.
 *
 * <p>Thread: any; immutable.
 *
 * @param connections how many are held open
 * @param payloadBytes size of one message
 * @param depth messages in flight on each connection
 * @param active how many of the connections send; the others stay idle
 */
public record LoadShape(int connections, int payloadBytes, int depth, int active) {
    public LoadShape {
        atLeastOne("connections", connections);
        atLeastOne("payload bytes", payloadBytes);
        atLeastOne("messages in flight", depth);
        atLeastOne("active connections", active);
        if (active > connections) {
            throw new IllegalArgumentException("of " + connections + " connections, " + active + " cannot be active");
        }
    }

    /** A load that sends on every connection. */
    public LoadShape(int connections, int payloadBytes, int depth) {
        this(connections, payloadBytes, depth, connections);
    }

    private static void atLeastOne(String what, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least 1 is needed for " + what + ", not " + count);
        }
    }
}
