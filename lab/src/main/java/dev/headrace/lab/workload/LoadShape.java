package dev.headrace.lab.workload;

/**
 * How much of what a load generator sends.
 *
 * <p>Thread: any; immutable.
 *
 * @param connections how many are held open
 * @param payloadBytes size of one message
 * @param depth messages in flight on each connection
 */
public record LoadShape(int connections, int payloadBytes, int depth) {
    public LoadShape {
        atLeastOne("connections", connections);
        atLeastOne("payload bytes", payloadBytes);
        atLeastOne("messages in flight", depth);
    }

    private static void atLeastOne(String what, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least 1 is needed for " + what + ", not " + count);
        }
    }
}
