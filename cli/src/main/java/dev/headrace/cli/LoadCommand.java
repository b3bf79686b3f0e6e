package dev.headrace.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the load generators, one for each workload. */
@Command(
        name = "load",
        description = "Puts load on a server of any make.",
        mixinStandardHelpOptions = true,
        subcommands = LoadEchoCommand.class)
final class LoadCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a workload: " + Failures.subcommands(spec));
    }
}
