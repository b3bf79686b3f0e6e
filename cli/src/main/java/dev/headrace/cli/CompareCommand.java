package dev.headrace.cli;

import dev.headrace.lab.measure.Host;
import dev.headrace.lab.race.Cell;
import dev.headrace.lab.race.CellResult;
import dev.headrace.lab.race.Installation;
import dev.headrace.lab.race.NotAvailable;
import dev.headrace.lab.race.Placement;
import dev.headrace.lab.race.Race;
import dev.headrace.lab.race.RacePlan;
import dev.headrace.lab.race.RaceProgress;
import dev.headrace.lab.race.RaceRecord;
import dev.headrace.lab.race.RaceResult;
import dev.headrace.lab.race.Row;
import dev.headrace.lab.race.Summary;
import dev.headrace.lab.race.UnknownName;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Races servers on this machine and says what the figures mean. */
@Command(
        name = "compare",
        description = "Races the same server on each kernel interface, and rivals, and gives a verdict.",
        mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
    private static final List<String> WORKLOADS = List.of("echo");
    /** The longest window, its drain, and the ends of the processes. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(15);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "WORKLOAD",
            defaultValue = "echo",
            description = "What the servers do: echo (default).")
    private String workload = "";

    @Mixin
    private final RaceOptions options = new RaceOptions();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (!WORKLOADS.contains(workload)) {
            throw new UnknownName("workload", workload, WORKLOADS);
        }
        options.check(spec.commandLine());
        JsonOutput record = output.record();
        Terminal terminal = output.terminal(spec.commandLine(), record);
        Host host = Host.look();
        terminal.remark(host.describe());
        Installation installation = Installation.ofThisProcess(Headrace.class.getName());
        RacePlan plan = options.plan(installation, terminal);
        terminal.remark(plan.describe() + "; " + Placement.choose().describe());
        Race race = new Race(plan, installation, host, new Commentary(terminal));
        try (Interruption _ = Interruption.handledBy(race::stop, END_PATIENCE)) {
            RaceResult result = race.run();
            Summary summary = Summary.of(result);
            print(summary, terminal);
            record.write(RaceRecord.write(summary, workload), out);
            boolean complete = result.failures().isEmpty() && !result.endedEarly();
            return complete ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private void print(Summary summary, Terminal terminal) {
        List<Cell> cells =
                summary.result().cells().stream().map(CellResult::cell).toList();
        for (Cell cell : cells) {
            List<Row> rows = summary.rows().stream()
                    .filter(row -> row.cell().equals(cell))
                    .toList();
            int rounds = rows.stream().mapToInt(Row::rounds).max().orElse(0);
            terminal.result("");
            terminal.heading(RaceTable.heading(workload, cell, rounds));
            List<NotAvailable> notAvailable = summary.notAvailable().stream()
                    .filter(absent -> absent.cell().equals(cell))
                    .toList();
            RaceTable.lines(rows, notAvailable).forEach(terminal::result);
        }
        terminal.result("");
        if (summary.rows().isEmpty()) {
            terminal.result("nothing was measured");
        }
        if (!summary.verdicts().isEmpty()) {
            terminal.heading("verdict");
            summary.verdicts().forEach(terminal::result);
        }
        summary.result().failures().forEach(failure -> terminal.result("out of the race: " + failure));
        summary.notAvailable().stream()
                .map(absent -> absent.limit().inPlaceOfFigures() + ": "
                        + absent.limit().reason())
                .distinct()
                .forEach(line -> terminal.result("note: " + line));
        summary.warnings().forEach(warning -> terminal.result("note: " + warning));
        if (summary.result().endedEarly()) {
            terminal.result("note: the race was ended early; these are the figures until then");
        }
    }

    /** Passes on to the terminal how the race is going. */
    private record Commentary(Terminal terminal) implements RaceProgress {
        @Override
        public void serverStarted(String server, String configuration) {
            terminal.remark("  " + server + ": " + configuration);
        }

        @Override
        public void serverFailed(String description) {
            terminal.warning("headrace: out of the race: " + description);
        }

        @Override
        public void step(String what, long remainingNanos) {
            Duration left = Duration.ofNanos(remainingNanos);
            terminal.progress(String.format("[at most %d:%02d left] %s", left.toMinutes(), left.toSecondsPart(), what));
        }
    }
}
