package dev.headrace.cli;

import dev.headrace.lab.race.Cell;
import dev.headrace.lab.race.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Lays the rows of a race out as text, a block for each load, about a hundred columns wide.
 *
 * <p>Thread: any; no state.
 */
final class RaceTable {
    private static final String FORMAT = "%-18s %11s %7s %7s %7s %8s %-15s %-13s %9s  %s";
    private static final String NOT_AVAILABLE = "n/a";

    private RaceTable() {}

    /** What stands over the rows of a load. */
    static String heading(String workload, Cell cell, int rounds) {
        return workload + ", " + cell.connections() + (cell.connections() == 1 ? " connection, " : " connections, ")
                + cell.payloadBytes() + " B, " + cell.depth() + " in flight, " + rounds
                + (rounds == 1 ? " round" : " rounds");
    }

    /** The rows of one load with the names of their columns. */
    static List<String> lines(List<Row> rows) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, FORMAT, "", "", "", "latency", "us", "CPU us", "a message", "", "calls a", ""));
        lines.add(String.format(
                Locale.ROOT,
                FORMAT,
                "server",
                "messages/s",
                "p50",
                "p99",
                "p99.9",
                "median",
                "90 % interval",
                "user + sys",
                "message",
                "saturated"));
        rows.forEach(row -> lines.add(line(row)));
        return lines.stream().map(String::stripTrailing).toList();
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                FORMAT,
                row.server(),
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
        return user == null || system == null ? NOT_AVAILABLE : cost(user) + " + " + cost(system);
    }

    private static String calls(@Nullable Double perMessage) {
        return perMessage == null ? NOT_AVAILABLE : String.format(Locale.ROOT, "%.2f", perMessage);
    }

    private static String cost(double micros) {
        return String.format(Locale.ROOT, "%.2f", micros);
    }
}
