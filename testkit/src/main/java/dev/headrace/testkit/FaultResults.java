package dev.headrace.testkit;

import dev.headrace.testkit.ResultTable.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** How the tests of faults went in one run of a module; written to {@code target/faults.tsv} when the run is over. */
final class FaultResults implements AutoCloseable {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path FILE = MODULE.resolve("target").resolve("faults.tsv");

    private record Cell(int row, String backend, String testClass, String test) {}

    private final TreeMap<Cell, Outcome> outcomes = new TreeMap<>(Comparator.comparingInt(Cell::row)
            .thenComparing(Cell::backend)
            .thenComparing(Cell::testClass)
            .thenComparing(Cell::test));

    /** The one of this run. */
    static FaultResults of(ExtensionContext context) {
        return Objects.requireNonNull(context.getRoot()
                .getStore(Namespace.create(FaultResults.class))
                .computeIfAbsent(FaultResults.class, _ -> new FaultResults(), FaultResults.class));
    }

    synchronized void note(ExtensionContext context, FaultTags tags, String backend, Outcome outcome) {
        String testClass = context.getRequiredTestClass().getName();
        String test = context.getRequiredTestMethod().getName();
        tags.rows()
                .forEach(row -> outcomes.merge(new Cell(row, backend, testClass, test), outcome, FaultResults::worse));
    }

    /** Of several runs of one test a failure outweighs all; one that was skipped counts only if each was. */
    private static Outcome worse(Outcome one, Outcome other) {
        if (one == Outcome.FAILED || other == Outcome.FAILED) {
            return Outcome.FAILED;
        }
        return one == Outcome.PASSED ? one : other;
    }

    /** A line per fault, backend and test: both of these, the module, the class, the method, and the outcome. */
    @Override
    public synchronized void close() {
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(
                    FILE,
                    outcomes.entrySet().stream()
                            .map(entry -> line(entry.getKey(), entry.getValue()))
                            .collect(Collectors.joining()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Cell cell, Outcome outcome) {
        return String.join(
                        "\t",
                        Integer.toString(cell.row()),
                        cell.backend(),
                        String.valueOf(MODULE.getFileName()),
                        cell.testClass(),
                        cell.test(),
                        outcome.name().toLowerCase(Locale.ROOT))
                + "\n";
    }
}
