package dev.headrace.lab.race;

import dev.headrace.lab.load.Window;
import java.util.Map;

/**
 * One window of every server that was in the race at the time, in the order in which they ran.
 *
 * <p>Thread: any; immutable.
 */
public record Round(Map<String, Window> windows) {
    /** Whether others had too much of the machine during any of the windows. */
    public boolean disturbed() {
        return windows.values().stream().anyMatch(Window::disturbed);
    }

    /** The part of a core that others took during the window that suffered most. */
    double foreignShare() {
        return windows.values().stream().mapToDouble(Window::foreignShare).max().orElse(0);
    }
}
