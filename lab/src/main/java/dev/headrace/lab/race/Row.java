package dev.headrace.lab.race;

import dev.headrace.lab.load.Saturation;
import dev.headrace.lab.statistics.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one server under one load.
 *
 * <p>Thread: any; immutable.
 *
 * @param messagesPerSecond median of the rounds
 * @param p50Micros latency over all rounds together, as the next two
 * @param cpuMicros server CPU per message
 * @param userMicros the part of it in user mode, by ticks; null when there were none
 * @param systemMicros the part of it in the kernel, by ticks
 * @param systemCallsPerMessage null when they could not be counted
 * @param roundsCpuMicros server CPU per message, round by round
 * @param cpuSeconds server CPU that all this rests on
 */
public record Row(
        String server,
        Cell cell,
        int rounds,
        double messagesPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        Interval cpuMicros,
        @Nullable Double userMicros,
        @Nullable Double systemMicros,
        @Nullable Double systemCallsPerMessage,
        List<Double> roundsCpuMicros,
        Saturation saturated,
        double cpuSeconds) {}
