package dev.headrace.cli;

import picocli.CommandLine.Option;

/** The size of a message; shared by the commands that put load on a server. */
final class SizeOption {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "100",
            converter = Units.Size.class,
            description = "Bytes of a message (default: ${DEFAULT-VALUE}).")
    private int bytes;

    int bytes() {
        return bytes;
    }
}
