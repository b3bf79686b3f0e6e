package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.lab.measure.Host;
import dev.headrace.lab.race.BenchResult;
import dev.headrace.lab.race.Cell;
import dev.headrace.lab.race.InterfaceLimit;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result of {@code bench} as text and as JSON of the schema {@value #SCHEMA}.
 *
 * <p>Thread: any; no state.
 */
final class BenchReport {
    static final String SCHEMA = "headrace.bench/1";

    private static final List<String> FIGURES =
            List.of("descriptor_max", "elapsed_s", "events", "events_per_second", "megabytes_per_second");
    private static final String UNKNOWN = "n/a";

    private BenchReport() {}

    /** What was measured, and the six figures. */
    static List<String> lines(Backend backend, BenchResult result) {
        int highest = result.descriptorMax().orElse(-1);
        return List.of(
                heading(backend, result.cell()) + ", 1 in flight",
                figure("connections", Numbers.grouped(result.cell().connections())),
                figure("max fd", highest < 0 ? UNKNOWN : Numbers.grouped(highest)),
                figure("elapsed", String.format(Locale.ROOT, "%.2f s", result.elapsedSeconds())),
                figure("total events", Numbers.grouped(result.messages())),
                figure("events/s", Numbers.grouped(result.messagesPerSecond())),
                figure("MB/s", String.format(Locale.ROOT, "%.2f", result.megabytesPerSecond())));
    }

    /** That the interface cannot do it, and why. */
    static String line(Backend backend, Cell cell, InterfaceLimit limit) {
        return heading(backend, cell) + ": " + limit.inPlaceOfFigures() + ": " + limit.reason();
    }

    private static String heading(Backend backend, Cell cell) {
        return backend.id() + ", " + cell.describe() + ", " + cell.payloadBytes() + " B";
    }

    private static String figure(String name, String value) {
        return String.format(Locale.ROOT, "%-12s  %12s", name, value);
    }

    /** The record of a measurement. */
    static String json(Backend backend, BenchResult result, Host host) {
        ObjectNode node = subject(backend, result.cell());
        if (result.descriptorMax().isPresent()) {
            node.put("descriptor_max", result.descriptorMax().getAsInt());
        } else {
            node.putNull("descriptor_max");
        }
        node.put("elapsed_s", result.elapsedSeconds());
        node.put("events", result.messages());
        node.put("events_per_second", result.messagesPerSecond());
        node.put("megabytes_per_second", result.megabytesPerSecond());
        node.put("ended_early", result.endedEarly());
        node.put("configuration", result.configuration());
        ObjectNode machine = node.putObject("host");
        machine.put("kernel", host.kernel());
        machine.put("architecture", host.architecture());
        machine.put("cores", host.cores());
        machine.put("cpu", host.cpu());
        machine.put("jdk", host.jdk());
        return written(node);
    }

    /** The record of what cannot be measured. */
    static String json(Backend backend, Cell cell, InterfaceLimit limit) {
        ObjectNode node = subject(backend, cell);
        FIGURES.forEach(node::putNull);
        node.put("not_available", limit.name());
        node.put("not_available_because", limit.reason());
        return written(node);
    }

    private static ObjectNode subject(Backend backend, Cell cell) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("schema", SCHEMA);
        node.put("backend", backend.id());
        node.put("connections", cell.connections());
        node.put("active", cell.active());
        node.put("payload_bytes", cell.payloadBytes());
        node.put("depth", cell.depth());
        return node;
    }

    private static String written(ObjectNode node) {
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(node);
    }
}
