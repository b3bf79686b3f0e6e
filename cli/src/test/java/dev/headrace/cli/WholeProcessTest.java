package dev.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.engine.Backend;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands as the user starts them: each a process of its own, with signals. */
class WholeProcessTest {
    private static final int INTERRUPTED = 130;

    @Test
    @Timeout(60)
    void serveSaysWhereAndOnWhatItListensAndEndsOnInterrupt() throws Exception {
        Process process = start("serve", "echo", "--port", "0", "--counters");
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = String.valueOf(out.readLine());
            assertThat(line).matches("listening on 127\\.0\\.0\\.1:\\d+ \\| backend \\S+ \\(.+\\); rungs: .+");
            int port = Integer.parseInt(line.replaceAll("^\\S+ \\S+ [^:]+:(\\d+) .*", "$1"));
            assertThat(echoed(port, "hello")).isEqualTo("hello");
            interrupt(process);
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
            String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(err).contains("loop 0: ").contains("BYTES_RECEIVED=5");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Timeout(60)
    void serveEndsWithItsInputWhenItIsToldTo() throws Exception {
        Process process = start("serve", "echo", "--port", "0", "--until-stdin-ends");
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).startsWith("listening on ");
            process.getOutputStream().close();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Timeout(120)
    void theOptionGoesBeforeThePropertyAndThatBeforeTheEnvironment() throws Exception {
        assertThat(firstLine(List.of(), "epoll-lt")).contains("backend epoll-lt (asked for by HEADRACE_BACKEND)");
        List<String> property = List.of("-Dheadrace.backend=epoll");
        assertThat(firstLine(property, "io_uring")).contains("backend epoll-lt (asked for by -Dheadrace.backend)");
        assertThat(firstLine(property, "io_uring", "--backend", "poll")).contains("backend poll (asked for)");
        assertThat(firstLine(property, "io_uring", "--backend", "auto")).doesNotContain("asked for");
    }

    @Test
    @Timeout(60)
    void serveSaysWhichRungsAreMasked() throws Exception {
        assumeTrue(Backend.IO_URING.unavailableBecause() == null, "io_uring is not available here");
        assertThat(firstLine(List.of(), "", "--backend", "uring", "--mask", "skipped-completions,multishot-receive"))
                .containsPattern("without .*multishot-receive \\(masked\\)")
                .containsPattern("without .*skipped-completions \\(masked\\)");
    }

    @Test
    @Timeout(120)
    void compareShowsWhatARungIsWorth() throws Exception {
        assumeTrue(Backend.IO_URING.unavailableBecause() == null, "io_uring is not available here");
        Process process = start(
                "compare",
                "--backends",
                "uring",
                "--peers",
                "none",
                "--mask",
                "multishot-receive",
                "-c",
                "2",
                "--rounds",
                "2",
                "--warmup",
                "500ms",
                "--json",
                "-");
        StringBuilder err = new StringBuilder();
        Thread reader = Thread.ofPlatform().daemon().start(() -> collect(process.errorReader(), err));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        reader.join();
        JsonNode record = JsonMapper.shared().readTree(out);
        assertThat(process.exitValue()).as(err.toString()).isZero();
        JsonNode without = record.get("servers").get(1);
        assertThat(without.get("name").stringValue()).isEqualTo("headrace-io_uring-no-multishot-receive");
        assertThat(without.get("masked_rung").stringValue()).isEqualTo("multishot-receive");
        assertThat(without.get("configuration").stringValue()).contains("multishot-receive (masked)");
        JsonNode ratio = record.get("ratios").get(0);
        assertThat(ratio.get("a").stringValue()).isEqualTo("headrace-io_uring-no-multishot-receive");
        assertThat(ratio.get("b").stringValue()).isEqualTo("headrace-io_uring");
        assertThat(record.get("verdicts").get(0).stringValue()).contains("multishot-receive");
    }

    @Test
    @Timeout(120)
    void compareEndsWithTableVerdictAndRecord() throws Exception {
        Process process =
                start("compare", "--peers", "none", "-c", "2", "--rounds", "2", "--warmup", "500ms", "--json", "-");
        StringBuilder err = new StringBuilder();
        Thread reader = Thread.ofPlatform().daemon().start(() -> collect(process.errorReader(), err));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        reader.join();
        JsonNode record = JsonMapper.shared().readTree(out);
        assertThat(process.exitValue()).as(err.toString()).isZero();
        assertThat(err.toString())
                .startsWith("Linux ")
                .contains("backends: ")
                .contains("CPU us")
                .contains("in flight");
        assertThat(record.get("schema").stringValue()).isEqualTo("headrace.compare/1");
        assertThat(record.get("rows")).isNotEmpty();
        assertThat(record.get("rows").get(0).get("rounds").intValue()).isEqualTo(2);
    }

    @Test
    @Timeout(120)
    void interruptedCompareShowsWhatItHasMeasured() throws Exception {
        Process process = start(
                "compare", "--backends", "epoll", "--peers", "none", "-c", "1", "--rounds", "999", "--warmup", "500ms");
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).startsWith("Linux ");
            String line = out.readLine();
            while (line != null && !line.contains("headrace-epoll-lt: ")) {
                line = out.readLine();
            }
            TimeUnit.SECONDS.sleep(6); // warming up and counting take about two
            interrupt(process);
            String rest = String.join("\n", out.lines().toList());
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(INTERRUPTED);
            assertThat(rest)
                    .contains("headrace-epoll-lt")
                    .contains("the race was ended early")
                    .contains("saturated");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String echoed(int port, String text) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void collect(BufferedReader from, StringBuilder to) {
        from.lines().forEach(line -> to.append(line).append('\n'));
    }

    private static void interrupt(Process process) throws Exception {
        new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** What {@code serve} says first, with those options of Java and that backend in the environment. */
    private static String firstLine(List<String> javaOptions, String backendVariable, String... options)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of("serve", "echo", "--port", "0"));
        arguments.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command(javaOptions, arguments));
        builder.environment().put("HEADRACE_BACKEND", backendVariable);
        Process process = builder.redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            return String.valueOf(out.readLine());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static Process start(String... arguments) throws IOException {
        return new ProcessBuilder(command(List.of(), List.of(arguments))).start();
    }

    private static List<String> command(List<String> javaOptions, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC"));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Headrace.class.getName()));
        command.addAll(arguments);
        return command;
    }
}
