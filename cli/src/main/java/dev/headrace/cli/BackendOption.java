package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.lab.race.Contestants;
import dev.headrace.lab.race.UnknownName;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The choice of a backend, by name or left to the machine; shared by the commands that run the engine. The option goes
 * before {@code -Dheadrace.backend}, that before the environment, and without any of them the best that works is used.
 */
final class BackendOption {
    private static final String AUTO = "auto";

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description =
                    "The kernel interface to use: io_uring, epoll-lt, epoll-et, poll, select, hybrid, or auto, the"
                            + " best that works here (default: -Dheadrace.backend in HEADRACE_JAVA_OPTS, or HEADRACE_BACKEND, or"
                            + " auto).")
    private @Nullable String name;

    /** The backend and why it is that one. */
    Backend.Choice choose() {
        if (name == null) {
            return configured();
        }
        if (name.equals(AUTO)) {
            return Backend.auto();
        }
        return new Backend.Choice(Contestants.backend(name), "asked for", Map.of());
    }

    private static Backend.Choice configured() {
        try {
            return Backend.configured();
        } catch (IllegalArgumentException unknown) {
            throw new UnknownName(unknown);
        }
    }
}
