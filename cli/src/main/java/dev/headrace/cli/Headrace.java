package dev.headrace.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of Headrace: the top of the tree of commands, and the process's way in and out. */
@Command(
        name = "headrace",
        description = "Measures what a network service would gain from io_uring on this machine.",
        mixinStandardHelpOptions = true,
        versionProvider = Headrace.Version.class,
        subcommands = {CompareCommand.class, BenchCommand.class, ServeCommand.class, LoadCommand.class})
public final class Headrace implements Runnable {
    /** Reads the version from the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Headrace.class.getPackage().getImplementationVersion();
            return new String[] {"headrace " + (version == null ? "(development build)" : version)};
        }
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "On failure, show the stack trace as well as the line that names the cause.")
    private boolean debug;

    boolean debug() {
        return debug;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a command: " + Failures.subcommands(spec));
    }

    /** Runs one command and answers with its exit status. */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        Headrace headrace = new Headrace();
        Failures failures = new Failures(headrace);
        return new CommandLine(headrace)
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .execute(arguments);
    }

    /** Kept, or the setting would go with the logger. What it tells once, the commands say in their own words. */
    private static final Logger ENGINE_LOG = Logger.getLogger("dev.headrace.engine");

    /** Starts the process's one command. */
    public static void main(String[] arguments) {
        ENGINE_LOG.setLevel(Level.WARNING);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int status = run(out, err, arguments);
        out.flush();
        err.flush();
        // After Ctrl-C this waits for the end that is under way, which has a status of its own.
        System.exit(status);
    }
}
