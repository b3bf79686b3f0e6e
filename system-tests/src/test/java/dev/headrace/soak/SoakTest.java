package dev.headrace.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers on all backends at once under mixed traffic, for as many minutes as {@code -Dsoak.minutes} says. */
@Tag("soak")
class SoakTest {
    private static final double MINUTES = Double.parseDouble(System.getProperty("soak.minutes", "30"));
    private static final int VISITORS_PER_SERVER = 4;
    private static final int COLLECTION_EVERY_SECONDS = 10;
    private static final long HEAP_AT_REST_MORE_BYTES = 8 << 20;
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private final List<Server> servers = new ArrayList<>();
    private final Samples samples = new Samples();
    private final AtomicLong visits = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean over;
    private long heapBytes;

    @Test
    void whatIsHeldReachesAPlateauAndIsGivenBack() throws Exception {
        try {
            for (Setting setting : Setting.unmasked()) {
                if (setting.unavailableBecause() == null) {
                    servers.add(Server.open(setting, connection -> new Resident()));
                }
            }
            traffic(WARM_UP, false);
            long descriptors = atRest();
            long heapAtRestBytes = collectedHeapBytes();
            traffic(Duration.ofMillis((long) (MINUTES * 60_000)), true);
            samples.writeTable(Path.of("target", "soak.csv"));
            samples.writePlot(Path.of("target", "soak.svg"));
            Descriptors.awaitAtMost(descriptors);
            atRest();
            assertThat(collectedHeapBytes()).as("heap at rest").isLessThan(heapAtRestBytes + HEAP_AT_REST_MORE_BYTES);
            assertThat(samples.growth()).as("growth").isEmpty();
        } finally {
            servers.forEach(Server::close);
        }
    }

    private void traffic(Duration duration, boolean sampled) throws Exception {
        over = false;
        List<Thread> visitors = new ArrayList<>();
        for (int i = 0; i < servers.size() * VISITORS_PER_SERVER; i++) {
            visitors.add(new Visitor(servers.get(i % servers.size()), visits.get() + i, () -> !over, visits, failure)
                    .start("visitor-" + i));
        }
        for (long second = 0; second < duration.toSeconds() && failure.get() == null; second++) {
            Thread.sleep(1000);
            if (sampled) {
                sample(second);
            }
        }
        over = true;
        for (Thread visitor : visitors) {
            assertThat(visitor.join(Duration.ofMinutes(1))).as("a visit ends").isTrue();
        }
        assertThat(failure.get()).as("failure of a visit").isNull();
    }

    private void sample(long second) throws IOException {
        if (second % COLLECTION_EVERY_SECONDS == 0) {
            heapBytes = collectedHeapBytes();
        }
        samples.add(
                Descriptors.count(),
                buffersInUse(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                heapBytes,
                anonymousBytes(),
                servers.stream()
                        .mapToLong(server -> server.loop().bufferBytesMapped())
                        .sum(),
                visits.get());
    }

    private static long collectedHeapBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private long buffersInUse() {
        return servers.stream()
                .mapToInt(server -> server.call(server.loop()::buffersInUse))
                .sum();
    }

    private static long anonymousBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .sum();
    }

    /** Waits until no connection is left and no buffer held; tells the descriptors that are open then. */
    private long atRest() throws IOException {
        for (Server server : servers) {
            await().untilAsserted(() -> assertThat(server.count(Counter.CONNECTIONS_CLOSED))
                    .as("connections closed on %s", server.group().backend())
                    .isEqualTo(server.count(Counter.CONNECTIONS_OPENED)));
        }
        await().untilAsserted(() ->
                assertThat(buffersInUse()).as("buffers held at rest").isZero());
        return Descriptors.count();
    }
}
