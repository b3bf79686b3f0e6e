package dev.headrace.lab.race;

import dev.headrace.lab.load.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides when a server has been warmed up: its cost per message has stopped falling, or the time for it is over.
 *
 * <p>Thread: the race's.
 */
final class WarmUp {
    static final Duration WINDOW = Duration.ofMillis(500);

    /**
     * A runtime compiles in several steps, and the compiler shares the core with the server: the first steady stretch
     * is not the last.
     */
    private static final Duration COLD_MIN = Duration.ofSeconds(5);

    private static final Duration WARM_MIN = Duration.ofMillis(1500);
    private static final Duration WARM_MAX = Duration.ofSeconds(3);
    private static final int STEADY_WINDOWS = 3;
    private static final double STEADY_SPREAD = 0.05;

    private final long windowsMin;
    private final long windowsMax;
    private final List<Double> costs = new ArrayList<>();

    /**
     * Begins.
     *
     * @param warmsUp whether the server gets faster with time at all
     * @param cold whether it has not been loaded before
     * @param longest the bound for a cold one
     */
    WarmUp(boolean warmsUp, boolean cold, Duration longest) {
        Duration max = cold || longest.compareTo(WARM_MAX) < 0 ? longest : WARM_MAX;
        Duration min = warmsUp && cold ? COLD_MIN : WARM_MIN;
        windowsMax = max.dividedBy(WINDOW);
        windowsMin = Math.min(windowsMax, min.dividedBy(WINDOW));
    }

    void add(Window window) {
        costs.add(window.serverCpuMicrosPerMessage());
    }

    boolean over() {
        return costs.size() >= windowsMax || (costs.size() >= windowsMin && steady());
    }

    /** Whether the last windows cost the same. */
    boolean steady() {
        if (costs.size() < STEADY_WINDOWS) {
            return false;
        }
        List<Double> last = costs.subList(costs.size() - STEADY_WINDOWS, costs.size());
        double most = last.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double least = last.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        return most <= least * (1 + STEADY_SPREAD);
    }
}
