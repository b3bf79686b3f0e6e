package dev.headrace.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is sent, and on how many of the connections; shared by the commands that put load on a server. */
final class MessageOptions {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "100",
            converter = Units.Size.class,
            description = "Bytes of a message (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(
            names = "--active",
            paramLabel = "N",
            converter = Units.Count.class,
            description = "Send on N connections alone, spread evenly, and leave the others idle (default: all).")
    private @Nullable Integer active;

    int bytes() {
        return bytes;
    }

    /** How many of so many connections send. */
    int activeOf(int connections) {
        return active == null ? connections : Math.min(active, connections);
    }
}
