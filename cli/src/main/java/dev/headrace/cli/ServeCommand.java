package dev.headrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the servers, one for each workload. */
@Command(
        name = "serve",
        description = "Runs a server of a workload.",
        mixinStandardHelpOptions = true,
        subcommands = ServeEchoCommand.class)
final class ServeCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a workload: " + Failures.subcommands(spec));
    }
}
