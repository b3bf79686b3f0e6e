package dev.headrace.lab.race;

import dev.headrace.lab.load.Window;
import org.jspecify.annotations.Nullable;

/**
 * A line with which the load process answers.
 *
 * <p>Thread: any; immutable.
 *
 * @param error what went wrong with the server, or null
 * @param window what was measured, when that was asked for
 */
record LoadReply(@Nullable String error, @Nullable Window window) {
    static LoadReply done() {
        return new LoadReply(null, null);
    }

    static LoadReply failed(String error) {
        return new LoadReply(error, null);
    }

    static LoadReply measured(Window window) {
        return new LoadReply(null, window);
    }
}
