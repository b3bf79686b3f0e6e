package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Handlers keep buffers until the pool is empty: connections wait, nothing spins, nothing is lost. */
@Fault(6)
class StarvationTest {
    private static final int SLICE_BYTES = 512;
    private static final int TURNS_WHILE_STARVED_MAX = 60;

    private static EngineOptions withPool(Setting setting, int count) {
        return setting.options().withReceiveBuffers(count, SLICE_BYTES).withRing(64, 256, 64);
    }

    /** Keeps what it receives, and echoes it when that is given back. */
    private static final class Hoard {
        private final Queue<Buffer> buffers = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean hoarding = new AtomicBoolean(true);

        Recording handler() {
            return new Server.Echo() {
                @Override
                public void received(Connection connection, Buffer data) {
                    super.received(connection, data);
                    if (hoarding.get()) {
                        buffers.add(data.retain());
                    }
                }
            };
        }

        int size() {
            return buffers.size();
        }

        void releaseOne() {
            buffers.remove().release();
        }

        void releaseAll() {
            for (Buffer buffer = buffers.poll(); buffer != null; buffer = buffers.poll()) {
                buffer.release();
            }
        }
    }

    /** A server of which one hoarder has taken all buffers. */
    private static void empty(Server server, Hoard hoard, Peer peer, int poolCount) throws IOException {
        for (int i = 0; i < poolCount; i++) {
            peer.send(Content.of(i, SLICE_BYTES));
            int wanted = i + 1;
            await().pollInterval(Duration.ofMillis(1)).until(() -> hoard.size() >= wanted);
        }
        peer.receive(poolCount * SLICE_BYTES);
        assertThat(server.count(Counter.BYTES_RECEIVED)).isEqualTo((long) poolCount * SLICE_BYTES);
    }

    private static void requireIdle(Server server) {
        long before = server.count(Counter.TURNS);
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        assertThat(server.count(Counter.TURNS) - before)
                .as("turns within 100 ms of starvation")
                .isLessThan(TURNS_WHILE_STARVED_MAX);
    }

    @EveryBackend
    void starvedConnectionsGoOnWhenTheLoopReleases(Setting setting) throws IOException {
        starveAndFeed(setting, Server::run);
    }

    @EveryBackend
    void starvedConnectionsGoOnWhenAnotherThreadReleases(Setting setting) throws IOException {
        starveAndFeed(setting, (server, task) -> task.run());
    }

    private interface Where {
        void run(Server server, Runnable task);
    }

    private static void starveAndFeed(Setting setting, Where where) throws IOException {
        Hoard hoard = new Hoard();
        Handlers<Recording> handlers = new Handlers<>(hoard::handler);
        List<Peer> peers = new ArrayList<>();
        try (Server server = Server.open(withPool(setting, 4), handlers);
                Peer hoarder = server.connect()) {
            empty(server, hoard, hoarder, 4);
            for (int i = 0; i < 10; i++) {
                Peer peer = server.connect();
                peers.add(peer);
                peer.send(Content.of(100 + i, 3_000));
            }
            await().until(() -> server.count(Counter.ENOBUFS) >= 10);
            requireIdle(server);
            assertThat(server.count(Counter.BYTES_RECEIVED)).isEqualTo(4 * SLICE_BYTES);

            hoard.hoarding.set(false);
            where.run(server, hoard::releaseAll);
            for (int i = 0; i < peers.size(); i++) {
                peers.get(i).expect(Content.of(100 + i, 3_000));
            }
            hoarder.exchange(Content.of(1, 10_000));
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }

    /** Many wait for one buffer: they take turns, and waiting for each other's buffer does not spin. */
    @EveryBackend
    void manyStarvedConnectionsShareOneBuffer(Setting setting) throws IOException {
        Hoard hoard = new Hoard();
        Handlers<Recording> handlers = new Handlers<>(hoard::handler);
        List<Peer> peers = new ArrayList<>();
        try (Server server = Server.open(withPool(setting, 4), handlers);
                Peer hoarder = server.connect()) {
            empty(server, hoard, hoarder, 4);
            for (int i = 0; i < 100; i++) {
                Peer peer = server.connect();
                peers.add(peer);
                peer.send(Content.of(100 + i, 1_500));
            }
            await().until(() -> server.count(Counter.ENOBUFS) >= 100);
            long refusals = server.count(Counter.ENOBUFS);
            hoard.hoarding.set(false);
            server.run(hoard::releaseOne);
            for (int i = 0; i < peers.size(); i++) {
                peers.get(i).expect(Content.of(100 + i, 1_500));
            }
            // A hundred take their turns at being armed again; then there is nothing more to do.
            await().untilAsserted(() -> requireIdle(server));
            // Each needs the buffer three times; arming all for one buffer would fail a hundred times as often.
            assertThat(server.count(Counter.ENOBUFS) - refusals)
                    .as("receives that found no buffer")
                    .isLessThan(1_500);
            server.run(hoard::releaseAll);
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }

    @EveryBackend
    void resetIsNoticedDuringStarvation(Setting setting) throws IOException {
        Hoard hoard = new Hoard();
        Handlers<Recording> handlers = new Handlers<>(hoard::handler);
        try (Server server = Server.open(withPool(setting, 4), handlers);
                Peer hoarder = server.connect()) {
            handlers.next();
            empty(server, hoard, hoarder, 4);
            Peer peer = server.connect();
            peer.send("starved");
            Recording handler = handlers.next();
            await().until(() -> server.count(Counter.ENOBUFS) >= 1);
            requireIdle(server);
            assertThat(handler.hasClosed()).isFalse();
            peer.reset();
            assertThat(handler.closedCause())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("ECONNRESET");
            requireIdle(server);
            server.run(hoard::releaseAll);
            hoarder.send("x");
            hoarder.expect("x");
            server.run(hoard::releaseAll);
        }
    }

    /** Fed with one buffer while much more waits, a connection starves again at once; its reset still shows. */
    @EveryBackend
    void resetIsNoticedWhenStarvedAgain(Setting setting) throws IOException {
        Hoard hoard = new Hoard();
        Handlers<Recording> handlers = new Handlers<>(hoard::handler);
        try (Server server = Server.open(withPool(setting, 4), handlers);
                Peer hoarder = server.connect()) {
            handlers.next();
            empty(server, hoard, hoarder, 4);
            Peer peer = server.connect();
            peer.send(new byte[20 * SLICE_BYTES]);
            Recording handler = handlers.next();
            for (int i = 1; i <= 5; i++) {
                int refusals = i;
                await().until(() -> server.count(Counter.ENOBUFS) >= refusals);
                server.run(hoard::releaseOne);
                await().until(() -> handler.receivedLength() >= refusals * SLICE_BYTES);
            }
            await().until(() -> server.count(Counter.ENOBUFS) >= 6);
            requireIdle(server);
            peer.reset();
            assertThat(handler.closedCause())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("ECONNRESET");
            server.run(hoard::releaseAll);
        }
    }

    /** The only buffer is under way as output when another connection needs one: its end is not awaited for ever. */
    @EveryBackend
    void aBufferThatWasSentFeedsTheNextConnection(Setting setting) throws IOException {
        try (Server server = Server.echo(withPool(setting, 1));
                Peer first = server.connect();
                Peer second = server.connect();
                Peer third = server.connect()) {
            first.exchange(Content.of(1, 10));
            second.exchange(Content.of(2, 10));
            third.exchange(Content.of(3, 10));
            for (int i = 0; i < 8; i++) {
                // While the loop sleeps all three arrive, so that one turn serves them together.
                CompletableFuture<Void> asleep = new CompletableFuture<>();
                server.loop().execute(() -> {
                    asleep.complete(null);
                    LockSupport.parkNanos(20_000_000L);
                });
                Recording.soon(asleep);
                first.send(Content.of(10 + i, 100));
                second.send(Content.of(20 + i, 100));
                third.send(Content.of(30 + i, 100));
                first.expect(Content.of(10 + i, 100));
                second.expect(Content.of(20 + i, 100));
                third.expect(Content.of(30 + i, 100));
            }
        }
    }

    /** The loop's other duties do not need receive buffers. */
    @EveryBackend
    void aStarvedConnectionCanBeWrittenToAndClosed(Setting setting) throws IOException {
        Hoard hoard = new Hoard();
        Handlers<Recording> handlers = new Handlers<>(hoard::handler);
        EngineOptions options = withPool(setting, 4).withLinger(Duration.ofMillis(100));
        try (Server server = Server.open(options, handlers);
                Peer hoarder = server.connect();
                Peer peer = server.connect()) {
            handlers.next();
            Recording handler = handlers.next();
            empty(server, hoard, hoarder, 4);
            peer.send("starved");
            await().until(() -> server.count(Counter.ENOBUFS) >= 1);
            server.run(() -> handler.connection().write(new byte[] {'a', 'b', 'c'}, 0, 3));
            peer.expect("abc");
            server.run(handler.connection()::close);
            peer.expectEnd();
            handler.closedCause();
            server.run(hoard::releaseAll);
            hoard.hoarding.set(false);
            hoarder.exchange(Content.of(1, 5_000));
        }
    }

    @EveryBackend
    void aStarvedConnectionCanBeAborted(Setting setting) throws IOException {
        Hoard hoard = new Hoard();
        Handlers<Recording> handlers = new Handlers<>(hoard::handler);
        try (Server server = Server.open(withPool(setting, 4), handlers);
                Peer hoarder = server.connect();
                Peer peer = server.connect()) {
            handlers.next();
            Recording handler = handlers.next();
            empty(server, hoard, hoarder, 4);
            peer.send("starved");
            await().until(() -> server.count(Counter.ENOBUFS) >= 1);
            server.run(handler.connection()::abort);
            assertThat(handler.closedCause()).isNull();
            peer.expectReset();
            server.run(hoard::releaseAll);
            hoard.hoarding.set(false);
            hoarder.exchange(Content.of(1, 5_000));
        }
    }

    /** Re-entrance at its worst: the call that takes the last buffer ends others that found none in the same turn. */
    @EveryBackend
    void theCallThatTakesTheLastBufferEndsTheOthers(Setting setting) throws IOException {
        List<Connection> connections = new ArrayList<>();
        Queue<Buffer> kept = new ArrayDeque<>();
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connections.add(connection);
            }

            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                kept.add(data.retain());
                connections.forEach(other -> {
                    if (other != connection) {
                        other.close();
                    }
                });
            }

            @Override
            public void inputEnded(Connection connection) {
                super.inputEnded(connection);
                connection.close();
            }

            @Override
            public void closed(Connection connection, @Nullable Throwable cause) {
                super.closed(connection, cause);
                connections.remove(connection);
            }
        });
        EngineOptions options = withPool(setting, 1).withLinger(Duration.ofMillis(50));
        try (Server server = Server.open(options, handlers)) {
            for (int round = 0; round < 4; round++) {
                List<Peer> peers = new ArrayList<>();
                List<Recording> recordings = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    peers.add(server.connect());
                    recordings.add(handlers.next());
                    recordings.getLast().connection();
                }
                CompletableFuture<Void> asleep = new CompletableFuture<>();
                server.loop().execute(() -> {
                    asleep.complete(null);
                    LockSupport.parkNanos(20_000_000L);
                });
                Recording.soon(asleep);
                for (Peer peer : peers) {
                    peer.send("data");
                }
                await().untilAsserted(() ->
                        assertThat(recordings).filteredOn(Recording::hasClosed).hasSize(4));
                server.run(() -> {
                    kept.forEach(Buffer::release);
                    kept.clear();
                });
                for (Peer peer : peers) {
                    peer.close();
                }
                await().untilAsserted(() -> assertThat(recordings).allMatch(Recording::hasClosed));
            }
        }
    }
}
