package dev.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchCommandTest {
    @Test
    @Timeout(60)
    void printsSixFiguresAndTheSameAsJson() {
        Cli cli = Cli.run("bench", "epoll", "20", "600ms", "--warmup", "200ms", "--json", "-");
        assertThat(cli.status()).as(cli.err()).isZero();
        assertThat(cli.errLines()).hasSize(7);
        assertThat(cli.errLines().getFirst()).isEqualTo("epoll-lt, 20 connections, 100 B, 1 in flight");
        assertThat(cli.errLines().subList(1, 7))
                .extracting(line -> line.substring(0, 14).strip())
                .containsExactly("connections", "max fd", "elapsed", "total events", "events/s", "MB/s");
        assertThat(cli.errLines().subList(1, 7)).allMatch(line -> line.length() == 26, "ends in one column");
        JsonNode record = JsonMapper.shared().readTree(cli.out());
        assertThat(record.get("schema").stringValue()).isEqualTo("headrace.bench/1");
        assertThat(record.get("backend").stringValue()).isEqualTo("epoll-lt");
        assertThat(record.get("connections").intValue()).isEqualTo(20);
        assertThat(record.get("descriptor_max").intValue()).isBetween(22, 200);
        assertThat(record.get("elapsed_s").doubleValue()).isBetween(0.6, 5.0);
        long events = record.get("events").longValue();
        double rate = record.get("events_per_second").doubleValue();
        assertThat(events).isPositive();
        assertThat(rate * record.get("elapsed_s").doubleValue()).isBetween(events * 0.999, events * 1.001);
        assertThat(record.get("megabytes_per_second").doubleValue()).isBetween(rate * 0.99e-4, rate * 1.01e-4);
        assertThat(record.get("ended_early").booleanValue()).isFalse();
        assertThat(record.get("not_available")).isNull();
    }

    @Test
    @Timeout(60)
    void namesTheActiveConnections() {
        Cli cli = Cli.run("bench", "epoll", "20", "300ms", "--active", "5", "--warmup", "100ms", "--json", "-");
        assertThat(cli.errLines().getFirst()).isEqualTo("epoll-lt, 20 connections, 5 active, 100 B, 1 in flight");
        assertThat(JsonMapper.shared().readTree(cli.out()).get("active").intValue())
                .isEqualTo(5);
    }

    @Test
    void whatSelectCannotWatchIsAnAnswerWithItsReason() {
        Cli cli = Cli.run("bench", "select", "5000", "2", "--json", "-");
        assertThat(cli.status()).isZero();
        assertThat(cli.errLines())
                .containsExactly("select, 5000 connections, 100 B: n/a (FD_SETSIZE): select can watch descriptors below"
                        + " 1024, and 100 of them are set aside for what a process needs itself: at most 924"
                        + " connections");
        JsonNode record = JsonMapper.shared().readTree(cli.out());
        assertThat(record.get("not_available").stringValue()).isEqualTo("FD_SETSIZE");
        assertThat(record.get("events_per_second").isNull()).isTrue();
        assertThat(record.get("descriptor_max").isNull()).isTrue();
    }
}
