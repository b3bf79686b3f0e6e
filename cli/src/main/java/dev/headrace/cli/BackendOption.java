package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.lab.race.Contestants;
import java.util.Map;
import picocli.CommandLine.Option;

/** The choice of a backend, by name or left to the machine; shared by the commands that run the engine. */
final class BackendOption {
    private static final String AUTO = "auto";

    @Option(
            names = "--backend",
            paramLabel = "NAME",
            defaultValue = AUTO,
            description =
                    "The kernel interface to use: io_uring, epoll-lt, or auto, the best that works here (default).")
    private String name = AUTO;

    /** The backend and why it is that one. */
    Backend.Choice choose() {
        if (name.equals(AUTO)) {
            return Backend.auto();
        }
        return new Backend.Choice(Contestants.backend(name), "asked for", Map.of());
    }
}
