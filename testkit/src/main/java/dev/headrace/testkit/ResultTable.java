package dev.headrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * How the suite went: a line per behaviour, a column per setting. It is printed when the suite is over, and written to
 * {@code target/conformance.txt}, there with a line per test as well.
 */
final class ResultTable implements AutoCloseable {
    private static final Path FILE = Path.of("target", "conformance.txt");
    private static final String ALL = "";
    private static final Count NONE = new Count();

    /** How a test ended. */
    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /** Numbers of tests by how they ended. */
    private static final class Count {
        private final int[] counts = new int[Outcome.values().length];

        void add(Outcome outcome) {
            counts[outcome.ordinal()]++;
        }

        int of(Outcome outcome) {
            return counts[outcome.ordinal()];
        }

        /** Such as {@code 12}, {@code 11 1f} or {@code 10s}. */
        @Override
        public String toString() {
            List<String> words = new ArrayList<>();
            if (of(Outcome.PASSED) > 0) {
                words.add(Integer.toString(of(Outcome.PASSED)));
            }
            if (of(Outcome.FAILED) > 0) {
                words.add(of(Outcome.FAILED) + "f");
            }
            if (of(Outcome.SKIPPED) > 0) {
                words.add(of(Outcome.SKIPPED) + "s");
            }
            return words.isEmpty() ? "-" : String.join(" ", words);
        }
    }

    private record Cell(String row, Setting setting) {}

    private final Map<String, Set<String>> testsOfBehaviours = new TreeMap<>();
    private final Map<Cell, Count> counts = new HashMap<>();
    private final Set<Setting> settings = new LinkedHashSet<>();
    private final Map<String, Set<String>> testsByReason = new TreeMap<>();

    /** The one of this run; it is closed, and so printed, with the suite. */
    static ResultTable of(ExtensionContext context) {
        return Objects.requireNonNull(context.getRoot()
                .getStore(Namespace.create(ResultTable.class))
                .computeIfAbsent(ResultTable.class, _ -> new ResultTable(), ResultTable.class));
    }

    synchronized void note(String testClass, String test, Setting setting, Outcome outcome) {
        String behaviour = behaviour(testClass);
        testsOfBehaviours.computeIfAbsent(behaviour, _ -> new LinkedHashSet<>()).add(test);
        settings.add(setting);
        for (String row : List.of(ALL, behaviour, behaviour + "." + test)) {
            counts.computeIfAbsent(new Cell(row, setting), _ -> new Count()).add(outcome);
        }
    }

    /** Why a test runs on fewer settings than there are. */
    synchronized void noteReason(String testClass, String test, String because) {
        testsByReason.computeIfAbsent(because, _ -> new TreeSet<>()).add(behaviour(testClass) + "." + test);
    }

    private static String behaviour(String testClass) {
        return testClass.replaceFirst("Test$", "");
    }

    /** Prints the table; the tests themselves are lines in the file only. */
    @Override
    public synchronized void close() {
        System.out.println(text(false));
        try {
            Files.createDirectories(FILE.toAbsolutePath().getParent());
            Files.writeString(FILE, text(true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text(boolean withTests) {
        List<Setting> columns = Setting.masking(Setting.rungs()).stream()
                .filter(settings::contains)
                .toList();
        StringBuilder text = new StringBuilder("Conformance: tests passed (f failed, s skipped, - not run) on\n");
        for (int i = 0; i < columns.size(); i++) {
            text.append(letter(i)).append(" = ").append(columns.get(i)).append('\n');
        }
        int nameWidth = withTests ? 72 : 20;
        text.append(" ".repeat(nameWidth));
        for (int i = 0; i < columns.size(); i++) {
            text.append("%8s".formatted(letter(i)));
        }
        testsOfBehaviours.forEach((behaviour, tests) -> {
            appendRow(text, nameWidth, behaviour, behaviour, columns);
            if (withTests) {
                tests.forEach(test -> appendRow(text, nameWidth, "  " + test, behaviour + "." + test, columns));
            }
        });
        appendRow(text, nameWidth, "all", ALL, columns);
        text.append('\n');
        for (Outcome outcome : Outcome.values()) {
            int sum = columns.stream()
                    .mapToInt(setting -> count(ALL, setting).of(outcome))
                    .sum();
            text.append(sum)
                    .append(' ')
                    .append(outcome.name().toLowerCase(Locale.ROOT))
                    .append("  ");
        }
        testsByReason.forEach((because, tests) -> text.append("\nnot with every rung masked, since ")
                .append(because)
                .append(": ")
                .append(String.join(", ", tests)));
        return text.append('\n').toString();
    }

    private void appendRow(StringBuilder text, int nameWidth, String name, String row, List<Setting> columns) {
        text.append('\n').append(("%-" + nameWidth + "s").formatted(name));
        columns.forEach(setting -> text.append("%8s".formatted(count(row, setting))));
    }

    private Count count(String row, Setting setting) {
        return counts.getOrDefault(new Cell(row, setting), NONE);
    }

    private static char letter(int index) {
        return (char) ('A' + index);
    }
}
