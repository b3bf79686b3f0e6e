package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Many connections that live for one message: each is served, and nothing of them stays. */
class ShortConnectionsTest {
    private static final int CONNECTIONS = 20_000;
    private static final int THREADS = 4;

    private static final class Counting implements ConnectionHandler {
        private final AtomicInteger opened;
        private final AtomicInteger closedInOrder;

        Counting(AtomicInteger opened, AtomicInteger closedInOrder) {
            this.opened = opened;
            this.closedInOrder = closedInOrder;
        }

        @Override
        public void opened(Connection connection) {
            opened.incrementAndGet();
        }

        @Override
        public void received(Connection connection, Buffer data) {
            connection.write(data);
        }

        @Override
        public void closed(Connection connection, @Nullable Throwable cause) {
            if (cause == null) {
                closedInOrder.incrementAndGet();
            }
        }
    }

    @EveryBackend(
            masks = {"multishot-accept", "multishot-receive", "buffer-ring"},
            because = "twenty thousand connections each, and the other rungs have no part in how one begins and ends")
    void twentyThousand(Setting setting) throws IOException {
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger closedInOrder = new AtomicInteger();
        EngineOptions options = setting.options().withLoops(2);
        try (Server server = Server.open(options, connection -> new Counting(opened, closedInOrder))) {
            long before = Descriptors.count();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int first = t * (CONNECTIONS / THREADS);
                threads.add(Peer.meanwhile(() -> {
                    for (int i = first; i < first + CONNECTIONS / THREADS; i++) {
                        try (Peer peer = server.connect()) {
                            byte[] message = Content.of(i, 16);
                            peer.send(message);
                            peer.expect(message);
                        }
                    }
                }));
            }
            threads.forEach(thread -> assertThat(thread).succeedsWithin(Duration.ofSeconds(100)));
            await().until(() -> closedInOrder.get() == CONNECTIONS);
            assertThat(opened.get()).isEqualTo(CONNECTIONS);
            assertThat(server.listener().accepted()).isEqualTo(CONNECTIONS);
            assertThat(server.count(Counter.CONNECTIONS_OPENED)).isEqualTo(CONNECTIONS);
            assertThat(server.count(Counter.CONNECTIONS_CLOSED)).isEqualTo(CONNECTIONS);
            assertThat(server.count(Counter.BYTES_RECEIVED)).isEqualTo(16L * CONNECTIONS);
            Descriptors.awaitAtMost(before);
        }
    }
}
