package dev.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.LoopGroup;
import dev.headrace.lab.workload.echo.EchoServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LoadCommandTest {
    @Test
    void printsRatePercentilesErrorsAndTheSaturatedSide() throws Exception {
        try (LoopGroup group = LoopGroup.open(EngineOptions.of(Backend.auto().backend()));
                Listener listener = EchoServer.listen(group, new InetSocketAddress("127.0.0.1", 0))) {
            String target = "127.0.0.1:" + listener.address().getPort();
            Cli cli = Cli.run("load", "echo", target, "-c", "4", "--depth", "2", "-d", "300ms", "--warmup", "100ms");
            assertThat(cli.err()).isEmpty();
            assertThat(cli.status()).isZero();
            assertThat(cli.out())
                    .contains("4 connections, 100 B, 2 in flight")
                    .contains("messages/s")
                    .containsPattern("p50 \\S+ p75 \\S+ p90 \\S+ p99 \\S+ p99.9 \\S+ p99.99 \\S+ max \\S+")
                    .contains("closed loop: coordinated omission possible")
                    .containsPattern("saturated   (server|load|none) \\(the server used \\d+ % of a core")
                    .contains("errors      none");
        }
    }

    @Test
    void jsonAloneGoesToStandardOutput() throws Exception {
        try (LoopGroup group = LoopGroup.open(EngineOptions.of(Backend.auto().backend()));
                Listener listener = EchoServer.listen(group, new InetSocketAddress("127.0.0.1", 0))) {
            String target = "127.0.0.1:" + listener.address().getPort();
            Cli cli = Cli.run(
                    "load", "echo", target, "-c", "2", "--size", "1k", "-d", "200ms", "--warmup", "0s", "--json", "-");
            JsonNode record = JsonMapper.shared().readTree(cli.out());
            assertThat(record.get("schema").stringValue()).isEqualTo("headrace.load/1");
            assertThat(record.get("payload_bytes").intValue()).isEqualTo(1000);
            assertThat(record.get("messages").longValue()).isPositive();
            assertThat(record.get("latency_us").get("p99").doubleValue()).isPositive();
            assertThat(record.get("errors")).isEmpty();
            assertThat(cli.err()).contains("messages/s");
        }
    }

    @Test
    void aServerThatClosesEarlyEndsTheRunWithErrorsByKind() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofPlatform().daemon().start(() -> closeAfterOneRead(server));
            long started = System.nanoTime();
            Cli cli = Cli.run("load", "echo", "127.0.0.1:" + server.getLocalPort(), "-c", "3", "-d", "30s");
            assertThat(System.nanoTime() - started).isLessThan(10_000_000_000L);
            assertThat(cli.status()).isEqualTo(1);
            assertThat(cli.out()).contains("no message was answered").contains("errors      3 read (");
        }
    }

    private static void closeAfterOneRead(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept();
                    InputStream in = socket.getInputStream()) {
                int first = in.read();
                assertThat(first).isNotNegative();
            } catch (IOException e) {
                return;
            }
        }
    }
}
