package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.counter.Counters;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** What a loop counts can be read from any thread, and is what happened. */
class CountersTest {
    @EveryBackend
    void countWhatHappened(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Counters counters = server.loop().counters();
            try (Peer peer = server.connect()) {
                for (int i = 0; i < 100; i++) {
                    peer.exchange(Content.of(i, 1000));
                }
                assertThat(counters.get(Counter.CONNECTIONS_OPENED)).isEqualTo(1);
                assertThat(counters.get(Counter.CONNECTIONS_CLOSED)).isZero();
            }
            await().until(() -> counters.get(Counter.CONNECTIONS_CLOSED) == 1);
            assertThat(counters.get(Counter.BYTES_RECEIVED)).isEqualTo(100_000);
            assertThat(counters.get(Counter.BYTES_SENT)).isEqualTo(100_000);
            // Each message is received in a turn of its own: the next is sent after its echo.
            assertThat(counters.get(Counter.TURNS)).isBetween(100L, 1_000L);
            assertThat(counters.get(Counter.ENTERS)).isBetween(100L, 1_000L);
            assertThat(counters.get(Counter.COMPLETIONS)).isBetween(200L, 2_000L);
            for (Counter silent : new Counter[] {
                Counter.STALE_COMPLETIONS,
                Counter.HANDLER_FAILURES,
                Counter.OVERFLOWS,
                Counter.ENOBUFS,
                Counter.ACCEPT_PAUSES,
                Counter.SUBMISSIONS_REFUSED
            }) {
                assertThat(counters.get(silent)).as(silent.name()).isZero();
            }
            assertThat(counters.toMap()).containsOnlyKeys(Counter.values());
            assertThat(counters.toString()).contains("BYTES_SENT=100000");
        }
    }

    @EveryBackend
    void theLongestTurnShows(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            server.run(() -> LockSupport.parkNanos(50_000_000L));
            server.run(() -> {});
            await().untilAsserted(() ->
                    assertThat(server.count(Counter.LONGEST_TURN_NANOS)).isBetween(50_000_000L, 5_000_000_000L));
        }
    }

    /** A turn serves many connections: enters per message go down, not up, with their number. */
    @EveryBackend
    void oneEnterServesManyConnections(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Peer[] peers = new Peer[50];
            for (int i = 0; i < peers.length; i++) {
                peers[i] = server.connect();
                peers[i].exchange(Content.of(i, 10));
            }
            long before = server.count(Counter.ENTERS);
            for (int round = 0; round < 20; round++) {
                var asleep = new CompletableFuture<Void>();
                server.loop().execute(() -> {
                    asleep.complete(null);
                    LockSupport.parkNanos(5_000_000L);
                });
                Recording.soon(asleep);
                for (Peer peer : peers) {
                    peer.send("0123456789");
                }
                for (Peer peer : peers) {
                    peer.expect("0123456789");
                }
            }
            assertThat(server.count(Counter.ENTERS) - before)
                    .as("enters for 20 rounds of 50 messages")
                    .isLessThan(500);
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }
}
