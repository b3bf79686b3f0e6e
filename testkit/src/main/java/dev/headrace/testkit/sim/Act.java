package dev.headrace.testkit.sim;

import java.util.Locale;

/**
 * Something that somebody does at some time in a run.
 *
 * @param atNanos when, in virtual time
 * @param connection whose
 * @param amount bytes, where that means something
 */
public record Act(long atNanos, int connection, Kind kind, int amount) {
    /** What can be done. */
    public enum Kind {
        /** A remote end connects to the engine. */
        CONNECT,
        /** The engine connects to a remote end. */
        CONNECT_OUT,
        REMOTE_SENDS,
        REMOTE_FINISHES,
        REMOTE_RESETS,
        REMOTE_STALLS,
        REMOTE_READS_ON,
        ENGINE_PAUSES,
        ENGINE_READS_ON,
        ENGINE_SHUTS_OUTPUT,
        ENGINE_CLOSES,
        ENGINE_ABORTS
    }

    @Override
    public String toString() {
        String what = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return "%10.3f ms  connection %d: %s%s"
                .formatted(atNanos / 1e6, connection, what, amount > 0 ? " " + amount + " bytes" : "");
    }
}
