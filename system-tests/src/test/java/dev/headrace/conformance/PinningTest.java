package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Each loop runs on the CPU chosen for it, and one that is not to be had is named. */
class PinningTest {
    private static String allowedCpus(Path status) throws IOException {
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static List<Integer> own() throws IOException {
        List<Integer> cpus = new ArrayList<>();
        for (String range : allowedCpus(Path.of("/proc/thread-self/status")).split(",", -1)) {
            String[] ends = range.split("-", -1);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    private static String cpusOf(Loop loop) {
        int thread = Server.call(loop, () -> new SystemCalls().gettid());
        return Server.call(loop, () -> allowedCpus(Path.of("/proc/self/task/" + thread + "/status")));
    }

    @EveryBackend
    void loopsGoAroundTheCpus(Setting setting) throws IOException {
        List<Integer> own = own();
        List<Integer> cpus = List.of(own.getLast(), own.getFirst());
        String before = allowedCpus(Path.of("/proc/thread-self/status"));
        try (Server server = Server.echo(setting.options().withLoops(3).withCpus(cpus));
                Peer peer = server.connect()) {
            assertThat(server.group().loops().stream().map(PinningTest::cpusOf))
                    .containsExactly("" + cpus.get(0), "" + cpus.get(1), "" + cpus.get(0));
            peer.exchange(Content.of(1, 10_000));
        }
        assertThat(allowedCpus(Path.of("/proc/thread-self/status")))
                .as("the caller's own CPUs")
                .isEqualTo(before);
    }

    @EveryBackend
    void withoutAChoiceTheyRunAnywhere(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            assertThat(cpusOf(server.loop())).isEqualTo(allowedCpus(Path.of("/proc/thread-self/status")));
        }
    }

    @EveryBackend
    void aCpuThatIsNotAllowedIsNamed(Setting setting) throws IOException {
        int cpu = own().getFirst();
        long before = Descriptors.count();
        for (int impossible : new int[] {1023, 1024, Integer.MAX_VALUE}) {
            EngineOptions options = setting.options().withLoops(2).withCpus(List.of(cpu, impossible));
            assertThatThrownBy(() -> LoopGroup.open(options))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("CPU " + impossible + " is not allowed")
                    .hasMessageContaining("allowed are " + cpu);
        }
        Descriptors.awaitAtMost(before);
    }
}
