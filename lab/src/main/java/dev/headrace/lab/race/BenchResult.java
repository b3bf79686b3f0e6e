package dev.headrace.lab.race;

import java.util.OptionalInt;

/**
 * What was measured of one backend alone.
 *
 * <p>Thread: any; immutable.
 *
 * @param server its name
 * @param configuration what the server said about itself
 * @param cell the load
 * @param descriptorMax the highest descriptor number in the server's process while all connections were open; empty when
 *     the process was not to be looked at
 * @param elapsedNanos how long was measured
 * @param messages echoed in that time
 * @param endedEarly whether less was measured than was asked for
 */
public record BenchResult(
        String server,
        String configuration,
        Cell cell,
        OptionalInt descriptorMax,
        long elapsedNanos,
        long messages,
        boolean endedEarly) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1e6;

    public double elapsedSeconds() {
        return elapsedNanos / NANOS_PER_SECOND;
    }

    public double messagesPerSecond() {
        return messages / elapsedSeconds();
    }

    /** Of messages, each counted once although it travels there and back. */
    public double megabytesPerSecond() {
        return messagesPerSecond() * cell.payloadBytes() / BYTES_PER_MEGABYTE;
    }
}
