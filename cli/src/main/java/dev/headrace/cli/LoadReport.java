package dev.headrace.cli;

import dev.headrace.lab.load.Latencies;
import dev.headrace.lab.load.Saturation;
import dev.headrace.lab.load.Window;
import dev.headrace.lab.measure.Host;
import dev.headrace.lab.workload.LoadShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The result of a load as text and as JSON of the schema {@value #SCHEMA}.
 *
 * <p>Thread: any; immutable.
 */
record LoadReport(HostPort target, LoadShape shape, Window window, boolean serverKnown) {
    static final String SCHEMA = "headrace.load/1";

    private static final double[] PERCENTILES = {50, 75, 90, 99, 99.9, 99.99};
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String CLOSED_LOOP = "closed loop: coordinated omission possible";

    /** The text. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s:%d: %d connections, %s%d B, %d in flight, %.2f s",
                target.host(),
                target.port(),
                shape.connections(),
                shape.active() == shape.connections() ? "" : shape.active() + " active, ",
                shape.payloadBytes(),
                shape.depth(),
                window.elapsedNanos() / NANOS_PER_SECOND));
        if (window.messages() == 0) {
            lines.add("no message was answered");
        } else {
            addFigures(lines);
        }
        lines.add(window.errors().isEmpty() ? "errors      none" : "errors      " + window.errorWords());
        return lines;
    }

    private void addFigures(List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "rate        %s messages/s (%s in all)",
                Numbers.grouped(window.messagesPerSecond()),
                Numbers.grouped(window.messages())));
        Histogram latency = Latencies.merge(List.of(window));
        StringBuilder percentiles = new StringBuilder("latency us ");
        for (double percentile : PERCENTILES) {
            percentiles
                    .append(" p")
                    .append(Numbers.plain(percentile))
                    .append(' ')
                    .append(Numbers.significant(latency.getValueAtPercentile(percentile) / NANOS_PER_MICRO));
        }
        percentiles.append(" max ").append(Numbers.significant(latency.getMaxValue() / NANOS_PER_MICRO));
        lines.add(percentiles.toString());
        lines.add("            " + CLOSED_LOOP);
        lines.add("saturated   " + saturation());
        if (serverKnown) {
            lines.add(String.format(
                    Locale.ROOT, "server CPU  %.2f us a message, all threads", window.serverCpuMicrosPerMessage()));
        }
    }

    private String saturation() {
        String load = String.format(Locale.ROOT, "the load used %.0f %% of a core", window.loadShare() * 100);
        if (!serverKnown) {
            return Saturation.of(0, window.loadShare()) == Saturation.LOAD
                    ? "load (" + load + ")"
                    : "not the load (" + load + "); the server's process is not known here";
        }
        return String.format(
                Locale.ROOT,
                "%s (the server used %.0f %% of a core, %s)",
                Saturation.of(window.serverShare(), window.loadShare()).word(),
                window.serverShare() * 100,
                load);
    }

    /** The record. */
    String json(Host host) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("schema", SCHEMA);
        ObjectNode machine = node.putObject("host");
        machine.put("kernel", host.kernel());
        machine.put("architecture", host.architecture());
        machine.put("cores", host.cores());
        machine.put("cpu", host.cpu());
        machine.put("jdk", host.jdk());
        node.put("workload", "echo");
        node.put("target", target.host() + ":" + target.port());
        node.put("connections", shape.connections());
        node.put("active", shape.active());
        node.put("payload_bytes", shape.payloadBytes());
        node.put("depth", shape.depth());
        node.put("model", "closed");
        node.put("elapsed_s", window.elapsedNanos() / NANOS_PER_SECOND);
        node.put("messages", window.messages());
        node.put("messages_per_second", window.messages() == 0 ? 0 : window.messagesPerSecond());
        latencies(node.putObject("latency_us"));
        ObjectNode errors = node.putObject("errors");
        window.errors().forEach(errors::put);
        node.put("load_cpu_s", window.loadCpuNanos() / NANOS_PER_SECOND);
        if (serverKnown) {
            node.put("server_cpu_s", window.serverCpuNanos() / NANOS_PER_SECOND);
            node.put(
                    "saturated",
                    Saturation.of(window.serverShare(), window.loadShare()).word());
        } else {
            node.putNull("server_cpu_s");
            node.putNull("saturated");
        }
        return JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(node);
    }

    private void latencies(ObjectNode node) {
        if (window.messages() == 0) {
            return;
        }
        Histogram latency = Latencies.merge(List.of(window));
        for (double percentile : PERCENTILES) {
            node.put("p" + Numbers.plain(percentile), latency.getValueAtPercentile(percentile) / NANOS_PER_MICRO);
        }
        node.put("max", latency.getMaxValue() / NANOS_PER_MICRO);
    }
}
