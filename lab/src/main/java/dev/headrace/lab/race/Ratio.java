package dev.headrace.lab.race;

import dev.headrace.lab.statistics.Comparison;
import org.jspecify.annotations.Nullable;

/**
 * How the CPU per message of two servers compares under one load.
 *
 * <p>Thread: any; immutable.
 *
 * @param comparison of all CPU, paired by rounds
 * @param userRatio of user CPU per message over all rounds, by ticks; null when one of them had none
 * @param cpuSeconds server CPU of the one that used less, which says how far the user ratio can be trusted
 */
public record Ratio(
        Pair pair,
        Cell cell,
        Comparison comparison,
        @Nullable Double userRatio,
        double cpuSeconds) {
    /** Ticks sample; a share of user time means something from so much CPU on. */
    private static final double TRUSTED_CPU_SECONDS = 30;

    public String a() {
        return pair.a().name();
    }

    public String b() {
        return pair.b().name();
    }

    /** Whether the user ratio rests on enough samples to be quoted. */
    public boolean userRatioTrusted() {
        return userRatio != null && cpuSeconds >= TRUSTED_CPU_SECONDS;
    }
}
