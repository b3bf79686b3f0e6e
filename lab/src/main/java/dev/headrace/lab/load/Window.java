package dev.headrace.lab.load;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one server in one stretch of time.
 *
 * <p>Thread: any; immutable.
 *
 * @param messages answered in full and correctly
 * @param elapsedNanos by the monotonic clock
 * @param serverCpuNanos the server's CPU time, by the scheduler
 * @param serverUserTicks the part of it that ticks found in user mode
 * @param serverSystemTicks the part of it that ticks found in the kernel
 * @param loadCpuNanos the load generator's CPU time, by the scheduler
 * @param foreignCpuNanos what others used of the cores of both
 * @param latency histogram of nanoseconds, in the library's compressed form, base 64
 * @param systemCalls of the server, when they were counted
 * @param openConnections at the end
 * @param errors by kind
 * @param errorWords the errors, readable
 */
public record Window(
        long messages,
        long elapsedNanos,
        long serverCpuNanos,
        long serverUserTicks,
        long serverSystemTicks,
        long loadCpuNanos,
        long foreignCpuNanos,
        String latency,
        @Nullable Long systemCalls,
        int openConnections,
        Map<String, Long> errors,
        String errorWords) {
    /** Above this part of the cores, others have disturbed the measurement. */
    private static final double FOREIGN_MAX = 0.15;

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    public double messagesPerSecond() {
        return messages * NANOS_PER_SECOND / elapsedNanos;
    }

    public double serverCpuMicrosPerMessage() {
        return serverCpuNanos / NANOS_PER_MICRO / messages;
    }

    /** The part of the window that the server was on its core. */
    public double serverShare() {
        return (double) serverCpuNanos / elapsedNanos;
    }

    /** The part of the window that the load was on its core. */
    public double loadShare() {
        return (double) loadCpuNanos / elapsedNanos;
    }

    /** The part of a core that others took from server and load. */
    public double foreignShare() {
        return (double) foreignCpuNanos / elapsedNanos;
    }

    public boolean disturbed() {
        return foreignShare() > FOREIGN_MAX;
    }
}
