package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.load.LoadRun;
import dev.headrace.lab.load.Window;
import dev.headrace.lab.measure.Host;
import dev.headrace.lab.race.KernelInterface;
import dev.headrace.lab.workload.LoadShape;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads an echo server and prints rate, latencies and errors. */
@Command(
        name = "echo",
        description = "Sends messages to an echo server, each connection the next when the last has come back, and"
                + " checks every byte.",
        mixinStandardHelpOptions = true)
final class LoadEchoCommand implements Callable<Integer> {
    private static final Duration END_PATIENCE = Duration.ofSeconds(12);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Parameters(paramLabel = "HOST:PORT", converter = HostPort.Converter.class, description = "The server.")
    @SuppressWarnings("NullAway.Init") // required
    private HostPort target;

    @Option(
            names = "-c",
            paramLabel = "N",
            defaultValue = "100",
            converter = Units.Count.class,
            description = "Connections (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Mixin
    private final MessageOptions messages = new MessageOptions();

    @Option(
            names = "--depth",
            paramLabel = "N",
            defaultValue = "1",
            converter = Units.Count.class,
            description = "Messages in flight on each connection (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = "-d",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Units.Time.class,
            description = "How long to measure (default: ${DEFAULT-VALUE}).")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = Units.Time.class,
            description = "How long to load before measuring (default: ${DEFAULT-VALUE}).")
    private Duration warmUp = Duration.ZERO;

    @Mixin
    private final BackendOption backend = new BackendOption();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        LoadShape shape = new LoadShape(connections, messages.bytes(), depth, messages.activeOf(connections));
        LoadRun run = new LoadRun(chosen(), target.resolve(), shape);
        JsonOutput record = output.record();
        Terminal terminal = output.terminal(spec.commandLine(), record);
        terminal.progress("loading " + target.host() + ":" + target.port() + " ...");
        try (Interruption _ = Interruption.handledBy(run::stop, END_PATIENCE)) {
            Window window = run.run(warmUp, duration);
            LoadReport report = new LoadReport(target, shape, window, run.serverKnown());
            report.lines().forEach(terminal::result);
            if (record.wanted()) {
                record.write(report.json(Host.look()), out);
            }
            return window.errors().isEmpty() && window.messages() > 0 ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private Backend chosen() throws IOException {
        Backend chosen = backend.choose().backend();
        KernelInterface.of(chosen).limitBelow(connections).ifPresent(limit -> {
            throw new Refusal(connections + " connections are too many for this backend: " + limit.reason()
                    + "; name another with --backend");
        });
        return chosen;
    }
}
