package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.lab.measure.DescriptorLimit;
import dev.headrace.lab.measure.Host;
import dev.headrace.lab.race.Bench;
import dev.headrace.lab.race.BenchResult;
import dev.headrace.lab.race.Cell;
import dev.headrace.lab.race.Installation;
import dev.headrace.lab.race.InterfaceLimit;
import dev.headrace.lab.race.KernelInterface;
import dev.headrace.lab.race.UnknownName;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures one backend alone and prints six figures. */
@Command(
        name = "bench",
        description = "Echoes over one kernel interface, server and load each a process of its own, and prints six"
                + " figures.",
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    private static final List<String> MODES = List.of("select", "poll", "epoll", "epoll-et", "io_uring", "hybrid");
    private static final int DEPTH = 1;
    /** The longest window, its settling, its drain, and the ends of the processes. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(15);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "MODE",
            description = "The kernel interface: select, poll, epoll, epoll-et, io_uring (or uring) or hybrid.")
    private String mode = "";

    @Parameters(
            index = "1",
            paramLabel = "CONNECTIONS",
            converter = Units.Count.class,
            description = "How many connections, such as 100 or 10k.")
    private int connections;

    @Parameters(
            index = "2",
            paramLabel = "SECONDS",
            converter = Units.Time.class,
            description = "How long to measure, in seconds or with a unit, such as 2 or 500ms.")
    private Duration duration = Duration.ZERO;

    @Mixin
    private final MessageOptions messages = new MessageOptions();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "3s",
            converter = Units.Time.class,
            description = "How long to load before measuring (default: ${DEFAULT-VALUE}).")
    private Duration warmUp = Duration.ZERO;

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Backend backend = backend();
        if (duration.isZero()) {
            throw new ParameterException(spec.commandLine(), "SECONDS must be more than 0");
        }
        JsonOutput record = output.record();
        Terminal terminal = output.terminal(spec.commandLine(), record);
        Cell cell = new Cell(connections, messages.bytes(), DEPTH, messages.activeOf(connections));
        Optional<InterfaceLimit> limit = KernelInterface.of(backend).limitBelow(connections);
        if (limit.isPresent()) {
            // An answer, not a failure: no setting of this machine would change it.
            terminal.result(BenchReport.line(backend, cell, limit.get()));
            record.write(BenchReport.json(backend, cell, limit.get()), out);
            return ExitCode.OK;
        }
        DescriptorLimit.require(connections);
        Installation installation = Installation.ofThisProcess(Headrace.class.getName());
        Bench bench = new Bench(backend, cell, warmUp, duration, installation);
        terminal.progress("measuring " + backend.id() + " ...");
        try (Interruption _ = Interruption.handledBy(bench::stop, END_PATIENCE)) {
            BenchResult result = bench.run();
            BenchReport.lines(backend, result).forEach(terminal::result);
            if (record.wanted()) {
                record.write(BenchReport.json(backend, result, Host.look()), out);
            }
            return result.endedEarly() ? ExitCode.SOFTWARE : ExitCode.OK;
        }
    }

    private Backend backend() {
        try {
            return Backend.named(mode);
        } catch (IllegalArgumentException unknown) {
            throw new UnknownName("mode", mode, MODES);
        }
    }
}
