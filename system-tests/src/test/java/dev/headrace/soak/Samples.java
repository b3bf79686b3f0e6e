package dev.headrace.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What was measured second by second: a table, a plot, and the question whether it has reached a plateau. */
final class Samples {
    /** A column; it may grow from the middle third to the last by the factor and the amount, no more. */
    enum Quantity {
        DESCRIPTORS(0.2, 20),
        BUFFERS(0.5, 60),
        THREADS(0.1, 8),
        /** Alive in the moment of a collection: what visitors send just then, a megabyte for some of them. */
        HEAP_BYTES(0.2, 24 << 20),
        ANONYMOUS_BYTES(0.1, 16 << 20),
        MAPPED_BYTES(0, 0),
        VISITS(Double.POSITIVE_INFINITY, 0);

        private final double factor;
        private final long amount;

        Quantity(double factor, long amount) {
            this.factor = factor;
            this.amount = amount;
        }
    }

    private static final int WIDTH = 900;
    private static final int HEIGHT = 110;

    private final List<long[]> rows = new ArrayList<>();

    /** One value for each quantity, in order. */
    void add(long... values) {
        assert values.length == Quantity.values().length;
        rows.add(values);
    }

    /** What has grown where it should not, in words; empty on a plateau. */
    List<String> growth() {
        List<String> growth = new ArrayList<>();
        for (Quantity quantity : Quantity.values()) {
            long middle = median(quantity, rows.size() / 3, rows.size() * 2 / 3);
            long last = median(quantity, rows.size() * 2 / 3, rows.size());
            if (last > middle + middle * quantity.factor + quantity.amount) {
                growth.add(quantity + " grew from " + middle + " to " + last);
            }
        }
        return growth;
    }

    private long median(Quantity quantity, int from, int to) {
        long[] values = column(quantity, from, to);
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private long[] column(Quantity quantity, int from, int to) {
        return rows.subList(from, to).stream()
                .mapToLong(row -> row[quantity.ordinal()])
                .toArray();
    }

    void writeTable(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("second,"
                + Arrays.stream(Quantity.values())
                        .map(quantity -> quantity.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(",")));
        for (int i = 0; i < rows.size(); i++) {
            lines.add(i + ","
                    + Arrays.stream(rows.get(i)).mapToObj(Long::toString).collect(Collectors.joining(",")));
        }
        Files.write(file, lines);
    }

    /** One panel below the other, each from zero to its largest value. */
    void writePlot(Path file) throws IOException {
        StringBuilder svg = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'>%n"
                .formatted(WIDTH, HEIGHT * Quantity.values().length));
        svg.append("<rect width='100%' height='100%' fill='white'/>\n");
        for (Quantity quantity : Quantity.values()) {
            long[] values = column(quantity, 0, rows.size());
            long max = Math.max(1, Arrays.stream(values).max().orElse(1));
            int bottom = HEIGHT * (quantity.ordinal() + 1) - 10;
            svg.append("<text x='5' y='%d' font-size='12'>%s, 0 to %d</text>%n"
                    .formatted(bottom - HEIGHT + 22, quantity.name().toLowerCase(Locale.ROOT), max));
            svg.append("<path d='M0 %d H%d' stroke='silver'/>%n".formatted(bottom, WIDTH));
            svg.append("<polyline fill='none' stroke='navy' points='");
            for (int i = 0; i < values.length; i++) {
                double x = (double) WIDTH * i / values.length;
                double y = bottom - (HEIGHT - 30.0) * values[i] / max;
                svg.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            }
            svg.append("'/>\n");
        }
        Files.writeString(file, svg.append("</svg>\n"));
    }
}
