package dev.headrace.lab.race;

import static dev.headrace.lab.race.Races.EPOLL;
import static dev.headrace.lab.race.Races.SELECT;
import static dev.headrace.lab.race.Races.URING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RaceRecordTest {
    private final JsonNode record = record();

    @Test
    void namesItsSchemaAndHost() {
        assertThat(record.get("schema").stringValue()).isEqualTo("headrace.compare/1");
        assertThat(record.get("host").propertyNames())
                .contains("kernel", "cores", "cpu", "jdk", "backends", "backends_unavailable");
    }

    @Test
    void rowsHaveTheNamesOfTheSchema() {
        JsonNode row = record.get("rows").get(0);
        assertThat(row.propertyNames())
                .contains(
                        "workload",
                        "server",
                        "connections",
                        "payload_bytes",
                        "depth",
                        "rounds",
                        "messages_per_second",
                        "p50_us",
                        "p99_us",
                        "p999_us",
                        "server_cpu_us_per_message",
                        "server_user_us_per_message",
                        "server_sys_us_per_message",
                        "syscalls_per_message",
                        "rounds_cpu_us",
                        "saturated");
        assertThat(row.get("workload").stringValue()).isEqualTo("echo");
        assertThat(row.get("server").stringValue()).isEqualTo("headrace-io_uring");
        assertThat(row.get("connections").intValue()).isEqualTo(1000);
        assertThat(row.get("depth").intValue()).isEqualTo(16);
        assertThat(row.get("rounds_cpu_us")).hasSize(6);
        assertThat(row.get("syscalls_per_message").doubleValue()).isEqualTo(0.05);
        assertThat(row.get("saturated").stringValue()).isEqualTo("none");
    }

    @Test
    void whatWasNotMeasuredIsNull() {
        assertThat(record.get("rows").get(1).get("syscalls_per_message").isNull())
                .isTrue();
        assertThat(record.get("servers").get(1).get("configuration").isNull()).isTrue();
    }

    @Test
    void ratiosHaveMedianAndBounds() {
        JsonNode ratio = record.get("ratios").get(0);
        assertThat(ratio.get("a").stringValue()).isEqualTo("headrace-io_uring");
        assertThat(ratio.get("b").stringValue()).isEqualTo("headrace-epoll-lt");
        assertThat(ratio.get("connections").intValue()).isEqualTo(1000);
        assertThat(ratio.get("depth").intValue()).isEqualTo(16);
        assertThat(ratio.get("median").doubleValue()).isBetween(0.78, 0.82);
        assertThat(ratio.get("low").doubleValue())
                .isLessThanOrEqualTo(ratio.get("median").doubleValue());
        assertThat(ratio.get("high").doubleValue())
                .isGreaterThanOrEqualTo(ratio.get("median").doubleValue());
    }

    @Test
    void verdictsAreWords() {
        assertThat(record.get("verdicts")).hasSize(1);
        assertThat(record.get("verdicts").get(0).stringValue()).contains("20 % less");
    }

    @Test
    void aServerThatCannotCarryTheLoadHasARowOfTheSameNamesWithoutFigures() {
        JsonNode row = record.get("rows").get(2);
        assertThat(row.get("server").stringValue()).isEqualTo("headrace-select");
        assertThat(row.propertyNames()).containsAll(record.get("rows").get(0).propertyNames());
        assertThat(row.get("connections").intValue()).isEqualTo(1000);
        assertThat(row.get("messages_per_second").isNull()).isTrue();
        assertThat(row.get("server_cpu_us_per_message").isNull()).isTrue();
        assertThat(row.get("rounds_cpu_us")).isEmpty();
        assertThat(row.get("not_available").stringValue()).isEqualTo("FD_SETSIZE");
        assertThat(row.get("not_available_because").stringValue()).contains("below 1024");
        assertThat(record.get("rows").get(0).get("not_available")).isNull();
    }

    private static JsonNode record() {
        List<Contestant> contestants = List.of(URING, EPOLL, SELECT);
        Summary summary =
                Summary.of(Races.result(contestants, Races.cell(new Cell(1000, 100, 16), 6, contestants, 8, 10)));
        return JsonMapper.shared().readTree(RaceRecord.write(summary, "echo"));
    }
}
