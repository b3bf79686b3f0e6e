package dev.headrace.lab.race;

import dev.headrace.lab.measure.Host;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a race as JSON of the schema {@value #SCHEMA}.
 *
 * <p>Thread: any; no state. Names carry their units; what could not be measured is null.
 */
public final class RaceRecord {
    public static final String SCHEMA = "headrace.compare/1";
    private static final List<String> FIGURES = List.of(
            "messages_per_second",
            "p50_us",
            "p99_us",
            "p999_us",
            "server_cpu_us_per_message",
            "server_cpu_us_per_message_low",
            "server_cpu_us_per_message_high",
            "server_user_us_per_message",
            "server_sys_us_per_message",
            "syscalls_per_message",
            "saturated",
            "server_cpu_seconds");
    private static final double RATIO_STEPS = 1e4;
    private static final double MICRO_STEPS = 1e4;
    private static final double RATE_STEPS = 10;

    private RaceRecord() {}

    /** The whole record, indented. */
    public static String write(Summary summary, String workload) {
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(tree(summary, workload));
    }

    static ObjectNode tree(Summary summary, String workload) {
        RaceResult result = summary.result();
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        record.put("schema", SCHEMA);
        record.put("started", result.started().toString());
        record.put("ended_early", result.endedEarly());
        record.set("host", host(result.host()));
        record.put("placement", result.placement().describe());
        ArrayNode servers = record.putArray("servers");
        for (Contestant contestant : result.contestants()) {
            ObjectNode server = servers.addObject();
            server.put("name", contestant.name());
            server.put("masked_rung", contestant.maskedRung().orElse(null));
            server.put("configuration", result.configurations().get(contestant.name()));
            strings(server.putArray("command"), contestant.command());
        }
        ArrayNode rows = record.putArray("rows");
        summary.rows().forEach(row -> row(rows.addObject(), row, workload));
        summary.notAvailable().forEach(absent -> notAvailable(rows.addObject(), absent, workload));
        ArrayNode ratios = record.putArray("ratios");
        summary.ratios().forEach(ratio -> ratio(ratios.addObject(), ratio));
        strings(record.putArray("verdicts"), summary.verdicts());
        strings(record.putArray("failures"), result.failures());
        strings(record.putArray("warnings"), summary.warnings());
        return record;
    }

    private static ObjectNode host(Host host) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("kernel", host.kernel());
        node.put("architecture", host.architecture());
        node.put("cores", host.cores());
        node.put("cpu", host.cpu());
        node.put("memory_bytes", host.memoryBytes());
        node.put("jdk", host.jdk());
        strings(node.putArray("backends"), host.backends());
        ObjectNode unavailable = node.putObject("backends_unavailable");
        host.unavailable().forEach(unavailable::put);
        return node;
    }

    private static void row(ObjectNode node, Row row, String workload) {
        subject(node, workload, row.server(), row.cell());
        node.put("rounds", row.rounds());
        node.put("messages_per_second", rounded(row.messagesPerSecond(), RATE_STEPS));
        node.put("p50_us", micros(row.p50Micros()));
        node.put("p99_us", micros(row.p99Micros()));
        node.put("p999_us", micros(row.p999Micros()));
        node.put("server_cpu_us_per_message", micros(row.cpuMicros().median()));
        node.put("server_cpu_us_per_message_low", micros(row.cpuMicros().low()));
        node.put("server_cpu_us_per_message_high", micros(row.cpuMicros().high()));
        node.put("server_user_us_per_message", micros(row.userMicros()));
        node.put("server_sys_us_per_message", micros(row.systemMicros()));
        node.put("syscalls_per_message", micros(row.systemCallsPerMessage()));
        ArrayNode rounds = node.putArray("rounds_cpu_us");
        row.roundsCpuMicros().forEach(cost -> rounds.add(micros(cost)));
        node.put("saturated", row.saturated().word());
        node.put("server_cpu_seconds", micros(row.cpuSeconds()));
    }

    /** The same names, with null for every figure. */
    private static void notAvailable(ObjectNode node, NotAvailable absent, String workload) {
        subject(node, workload, absent.server(), absent.cell());
        node.put("rounds", 0);
        FIGURES.forEach(node::putNull);
        node.putArray("rounds_cpu_us");
        node.put("not_available", absent.limit().name());
        node.put("not_available_because", absent.limit().reason());
    }

    private static void subject(ObjectNode node, String workload, String server, Cell cell) {
        node.put("workload", workload);
        node.put("server", server);
        node.put("connections", cell.connections());
        node.put("active", cell.active());
        node.put("payload_bytes", cell.payloadBytes());
        node.put("depth", cell.depth());
    }

    private static void ratio(ObjectNode node, Ratio ratio) {
        node.put("a", ratio.a());
        node.put("b", ratio.b());
        node.put("connections", ratio.cell().connections());
        node.put("active", ratio.cell().active());
        node.put("payload_bytes", ratio.cell().payloadBytes());
        node.put("depth", ratio.cell().depth());
        node.put("rounds", ratio.comparison().rounds());
        node.put("median", rounded(ratio.comparison().ratio().median(), RATIO_STEPS));
        node.put("low", rounded(ratio.comparison().ratio().low(), RATIO_STEPS));
        node.put("high", rounded(ratio.comparison().ratio().high(), RATIO_STEPS));
        node.put("smallest_difference_seen", rounded(ratio.comparison().smallestDifferenceSeen(), RATIO_STEPS));
        node.put("user_cpu_ratio", micros(ratio.userRatio()));
        node.put("cpu_seconds", micros(ratio.cpuSeconds()));
    }

    private static void strings(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }

    private static @Nullable Double micros(@Nullable Double value) {
        return value == null ? null : rounded(value, MICRO_STEPS);
    }

    /** Digits that the measurement cannot know would only suggest a precision it has not. */
    private static double rounded(double value, double steps) {
        return Math.round(value * steps) / steps;
    }
}
