package dev.headrace.lab.race;

import dev.headrace.lab.load.Latencies;
import dev.headrace.lab.load.Saturation;
import dev.headrace.lab.load.Window;
import dev.headrace.lab.statistics.Comparison;
import dev.headrace.lab.statistics.Interval;
import dev.headrace.lab.statistics.Statistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a race: rows, ratios, verdicts, and what a reader has to be warned of.
 *
 * <p>Thread: any; immutable.
 *
 * @param notAvailable what stands in the place of rows that no run could have
 */
public record Summary(
        RaceResult result,
        List<Row> rows,
        List<NotAvailable> notAvailable,
        List<Ratio> ratios,
        List<String> verdicts,
        List<String> warnings) {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Computes it. */
    public static Summary of(RaceResult result) {
        List<Row> rows = new ArrayList<>();
        List<NotAvailable> notAvailable = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        List<String> verdicts = new ArrayList<>();
        List<String> warnings = new ArrayList<>(result.notes());
        for (CellResult cell : result.cells()) {
            List<Row> cellRows = result.contestants().stream()
                    .map(contestant -> row(contestant.name(), cell))
                    .filter(Objects::nonNull)
                    .toList();
            List<Ratio> cellRatios = ratios(result.contestants(), cell, cellRows);
            rows.addAll(cellRows);
            notAvailable.addAll(notAvailable(result.contestants(), cell.cell()));
            ratios.addAll(cellRatios);
            verdicts.addAll(Verdict.of(cellRatios));
            warn(cell, cellRatios, warnings);
        }
        return new Summary(result, rows, notAvailable, ratios, verdicts, warnings);
    }

    private static List<NotAvailable> notAvailable(List<Contestant> contestants, Cell cell) {
        return contestants.stream()
                .flatMap(contestant -> contestant.kernelInterface().limitBelow(cell.connections()).stream()
                        .map(limit -> new NotAvailable(contestant.name(), cell, limit)))
                .toList();
    }

    private static @Nullable Row row(String server, CellResult cell) {
        List<Window> windows = cell.rounds().stream()
                .map(round -> round.windows().get(server))
                .filter(Objects::nonNull)
                .toList();
        if (windows.isEmpty()) {
            return null;
        }
        double[] costs = Pair.costs(cell.rounds(), server);
        Interval cost = Statistics.medianInterval(costs);
        Histogram latency = Latencies.merge(windows);
        long cpuNanos = sum(windows, Window::serverCpuNanos);
        long elapsed = sum(windows, Window::elapsedNanos);
        Double userShare = userShare(windows);
        return new Row(
                server,
                cell.cell(),
                windows.size(),
                Statistics.median(
                        windows.stream().mapToDouble(Window::messagesPerSecond).toArray()),
                latency.getValueAtPercentile(50) / NANOS_PER_MICRO,
                latency.getValueAtPercentile(99) / NANOS_PER_MICRO,
                latency.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
                cost,
                userShare == null ? null : cost.median() * userShare,
                userShare == null ? null : cost.median() * (1 - userShare),
                cell.systemCallsPerMessage().get(server),
                Arrays.stream(costs).boxed().toList(),
                Saturation.of((double) cpuNanos / elapsed, (double) sum(windows, Window::loadCpuNanos) / elapsed),
                cpuNanos / NANOS_PER_SECOND);
    }

    private static @Nullable Double userShare(List<Window> windows) {
        long user = sum(windows, Window::serverUserTicks);
        long system = sum(windows, Window::serverSystemTicks);
        return user + system == 0 ? null : (double) user / (user + system);
    }

    private static long sum(List<Window> windows, ToLongFunction<Window> part) {
        return windows.stream().mapToLong(part).sum();
    }

    private static List<Ratio> ratios(List<Contestant> contestants, CellResult cell, List<Row> rows) {
        Map<String, Row> byServer = rows.stream().collect(Collectors.toMap(Row::server, row -> row));
        List<Ratio> ratios = new ArrayList<>();
        for (Pair pair : Pair.of(contestants)) {
            Comparison comparison = pair.compare(cell.rounds());
            Row a = byServer.get(pair.a().name());
            Row b = byServer.get(pair.b().name());
            if (comparison != null && a != null && b != null) {
                ratios.add(new Ratio(
                        pair,
                        cell.cell(),
                        comparison,
                        userRatio(a.userMicros(), b.userMicros()),
                        Math.min(a.cpuSeconds(), b.cpuSeconds())));
            }
        }
        return ratios;
    }

    private static @Nullable Double userRatio(@Nullable Double a, @Nullable Double b) {
        return a == null || b == null || b == 0 ? null : a / b;
    }

    private static void warn(CellResult cell, List<Ratio> ratios, List<String> warnings) {
        String where = cell.cell().describe() + ": ";
        if (cell.disturbed() > 0) {
            warnings.add(
                    where + "in " + cell.disturbed() + " of " + cell.rounds().size() + " rounds other programs took"
                            + " more than 15 % of a core, and there were no better ones: run it again on an idle machine");
        }
        if (cell.dropped() > 0) {
            warnings.add(where + cell.dropped() + " more rounds were dropped because other programs took more than 15 %"
                    + " of a core");
        }
        if (!cell.unsteady().isEmpty()) {
            warnings.add(where + "not yet steady after warming up: "
                    + cell.unsteady().stream().sorted().collect(Collectors.joining(", ")));
        }
        for (Honesty rule : Honesty.RULES) {
            for (Ratio ratio : ratios) {
                boolean applies =
                        ratio.a().equals(rule.yardstick()) && ratio.b().equals(rule.rival());
                double median = ratio.comparison().ratio().median();
                if (applies && median > rule.ratioMax()) {
                    warnings.add(String.format(
                            Locale.ROOT,
                            "%sthe yardstick is not clearly cheaper than Netty: %s costs %.2f of %s, credible is at"
                                    + " most %.2f: treat this run as invalid",
                            where,
                            rule.yardstick(),
                            median,
                            rule.rival(),
                            rule.ratioMax()));
                }
            }
        }
    }
}
