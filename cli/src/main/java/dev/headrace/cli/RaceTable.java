package dev.headrace.cli;

import dev.headrace.lab.race.Cell;
import dev.headrace.lab.race.NotAvailable;
import dev.headrace.lab.race.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lays the rows of a race out as text, a block for each load, about a hundred columns wide.
 *
 * <p>Thread: any; no state.
 */
final class RaceTable {
    private static final int NAME_WIDTH = 18;
    private static final String FORMAT = "%s %11s %7s %7s %7s %8s %-15s %-13s %9s  %s";
    private static final String UNKNOWN = "n/a";

    private RaceTable() {}

    /** What stands over the rows of a load. */
    static String heading(String workload, Cell cell, int rounds) {
        return workload + ", " + cell.describeConnections() + ", "
                + cell.payloadBytes() + " B, " + cell.depth() + " in flight, " + rounds
                + (rounds == 1 ? " round" : " rounds");
    }

    /** The rows of one load with the names of their columns, then the servers that cannot carry it. */
    static List<String> lines(List<Row> rows, List<NotAvailable> notAvailable) {
        int width = Stream.concat(
                        rows.stream().map(Row::server), notAvailable.stream().map(NotAvailable::server))
                .mapToInt(String::length)
                .reduce(NAME_WIDTH, Math::max);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                FORMAT,
                padded("", width),
                "",
                "",
                "latency",
                "us",
                "CPU us",
                "a message",
                "",
                "calls a",
                ""));
        lines.add(String.format(
                Locale.ROOT,
                FORMAT,
                padded("server", width),
                "messages/s",
                "p50",
                "p99",
                "p99.9",
                "median",
                "90 % interval",
                "user + sys",
                "message",
                "saturated"));
        rows.forEach(row -> lines.add(line(row, width)));
        notAvailable.forEach(absent ->
                lines.add(padded(absent.server(), width) + " " + absent.limit().inPlaceOfFigures()));
        return lines.stream().map(String::stripTrailing).toList();
    }

    private static String padded(String name, int width) {
        return name + " ".repeat(width - name.length());
    }

    private static String line(Row row, int width) {
        return String.format(
                Locale.ROOT,
                FORMAT,
                padded(row.server(), width),
                Numbers.grouped(row.messagesPerSecond()),
                Numbers.significant(row.p50Micros()),
                Numbers.significant(row.p99Micros()),
                Numbers.significant(row.p999Micros()),
                cost(row.cpuMicros().median()),
                cost(row.cpuMicros().low()) + " to " + cost(row.cpuMicros().high()),
                split(row.userMicros(), row.systemMicros()),
                calls(row.systemCallsPerMessage()),
                row.saturated().word());
    }

    private static String split(@Nullable Double user, @Nullable Double system) {
        return user == null || system == null ? UNKNOWN : cost(user) + " + " + cost(system);
    }

    private static String calls(@Nullable Double perMessage) {
        return perMessage == null ? UNKNOWN : String.format(Locale.ROOT, "%.2f", perMessage);
    }

    private static String cost(double micros) {
        return String.format(Locale.ROOT, "%.2f", micros);
    }
}
