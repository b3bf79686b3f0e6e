package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The end of a connection while operations of it are in flight: what the peer sees, and how soon. */
class CloseTest {
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A busy machine may delay one try; an end that waits for something it must not wait for delays all of them. */
    private static final int TRIES = 10;

    private static final int STALLED_BYTES = 8 << 20;

    /** Does something, and tells how many nanoseconds passed before the peer saw the end. */
    private interface Attempt {
        long nanosUntilTheEnd() throws IOException;
    }

    private static void requireSoon(Attempt attempt) throws IOException {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && best > SOON_NANOS; i++) {
            best = Math.min(best, attempt.nanosUntilTheEnd());
        }
        assertThat(best).as("nanoseconds until the peer saw the end").isLessThan(SOON_NANOS);
    }

    private static EngineOptions roomy(Setting setting) {
        return setting.options().withWatermarks(1 << 20, 16 << 20).withOutputBuffers(4096, 4096);
    }

    /** Writes megabytes to whoever connects. */
    private static final class Writer extends Recording {
        private final byte[] content;

        Writer(byte[] content) {
            this.content = content;
        }

        @Override
        public void opened(Connection connection) {
            super.opened(connection);
            assertThat(connection.write(content, 0, content.length)).isEqualTo(content.length);
        }
    }

    private static void awaitStalledSend(Server server, Connection connection) {
        await().during(Duration.ofMillis(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> server.call(connection::outputPendingBytes) > 1_000_000);
    }

    @EveryBackend
    void finComesSoonWithAReceiveStanding(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers)) {
            requireSoon(() -> {
                try (Peer peer = server.connect()) {
                    Recording handler = handlers.next();
                    Connection connection = handler.connection();
                    peer.send("x");
                    await().until(() -> handler.receivedLength() == 1);
                    long from = server.call(() -> {
                        connection.close();
                        return System.nanoTime();
                    });
                    peer.expectEnd();
                    long took = System.nanoTime() - from;
                    peer.finish();
                    assertThat(handler.closedCause()).isNull();
                    return took;
                }
            });
        }
    }

    @EveryBackend
    void finComesSoonAfterTheLastByteOfPendingOutput(Setting setting) throws IOException {
        byte[] content = Content.of(1, STALLED_BYTES);
        Handlers<Recording> handlers = new Handlers<>(() -> new Writer(content));
        try (Server server = Server.open(roomy(setting), handlers)) {
            requireSoon(() -> {
                try (Peer peer = server.connect()) {
                    Recording handler = handlers.next();
                    Connection connection = handler.connection();
                    awaitStalledSend(server, connection);
                    server.run(connection::close);
                    assertThat(handler.hasClosed())
                            .as("closed before the output went out")
                            .isFalse();
                    peer.expect(content);
                    long from = System.nanoTime();
                    peer.expectEnd();
                    long took = System.nanoTime() - from;
                    peer.finish();
                    assertThat(handler.closedCause()).isNull();
                    return took;
                }
            });
        }
    }

    @EveryBackend
    void writeThenCloseInOneCallLosesNothing(Setting setting) throws IOException {
        byte[] content = Content.of(2, 100_000);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                connection.write(content, 0, content.length);
                connection.close();
                connection.close();
            }
        });
        try (Server server = Server.open(setting, handlers)) {
            for (int i = 0; i < 100; i++) {
                try (Peer peer = server.connect()) {
                    peer.send("go");
                    Content.requireSame(content, peer.receiveToEnd());
                }
                assertThat(handlers.next().closedCause()).isNull();
            }
        }
    }

    @EveryBackend
    void resetComesSoonWithAReceiveStanding(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers)) {
            requireSoon(() -> {
                try (Peer peer = server.connect()) {
                    Recording handler = handlers.next();
                    Connection connection = handler.connection();
                    long from = server.call(() -> {
                        connection.abort();
                        return System.nanoTime();
                    });
                    assertThat(peer.expectReset()).isZero();
                    long took = System.nanoTime() - from;
                    assertThat(handler.closedCause()).isNull();
                    return took;
                }
            });
        }
    }

    @EveryBackend
    void resetComesSoonWithASendInFlightAndDropsTheRest(Setting setting) throws IOException {
        byte[] content = Content.of(3, STALLED_BYTES);
        Handlers<Recording> handlers = new Handlers<>(() -> new Writer(content));
        try (Server server = Server.open(roomy(setting), handlers)) {
            requireSoon(() -> {
                // The kernel of the peer takes little, so what it still delivers after the reset is soon read.
                try (Peer peer = Peer.to(server.address(), 16 << 10)) {
                    Recording handler = handlers.next();
                    Connection connection = handler.connection();
                    awaitStalledSend(server, connection);
                    long from = server.call(() -> {
                        connection.abort();
                        return System.nanoTime();
                    });
                    assertThat(handler.closedCause()).isNull();
                    assertThat(peer.expectReset()).as("bytes that came").isLessThan(1_000_000);
                    long took = System.nanoTime() - from;
                    assertThat(server.call(connection::outputPendingBytes)).isZero();
                    return took;
                }
            });
        }
    }

    @EveryBackend
    void abortAfterCloseDropsWhatWasToBeDrained(Setting setting) throws IOException {
        byte[] content = Content.of(4, STALLED_BYTES);
        Handlers<Recording> handlers = new Handlers<>(() -> new Writer(content));
        try (Server server = Server.open(roomy(setting), handlers);
                Peer peer = Peer.to(server.address(), 16 << 10)) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            awaitStalledSend(server, connection);
            server.run(connection::close);
            peer.receive(1000);
            server.run(connection::abort);
            assertThat(handler.closedCause()).isNull();
            assertThat(peer.expectReset()).as("bytes that came").isLessThan(1_000_000);
        }
    }

    /** The peer may go on sending after our FIN, and is not reset for it. */
    @EveryBackend
    void lingersUntilThePeerIsDone(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            CompletableFuture<Void> sent = peer.sendMeanwhile(new byte[2_000_000]);
            await().until(() -> handler.receivedLength() > 10_000);
            server.run(handler.connection()::close);
            sent.join();
            peer.expectEnd();
            int received = handler.receivedLength();
            for (int i = 0; i < 20; i++) {
                peer.send(new byte[10_000]);
                await().pollDelay(Duration.ofMillis(5)).until(() -> true);
            }
            assertThat(handler.hasClosed())
                    .as("closed before the peer was done")
                    .isFalse();
            assertThat(handler.receivedLength())
                    .as("bytes delivered after close")
                    .isEqualTo(received);
            peer.finish();
            assertThat(handler.closedCause()).isNull();
        }
    }

    @EveryBackend
    void lingersNoLongerThanTheDeadline(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        EngineOptions options = setting.options().withLinger(Duration.ofMillis(200));
        try (Server server = Server.open(options, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            long from = server.call(() -> {
                handler.connection().close();
                return System.nanoTime();
            });
            peer.expectEnd();
            long took = handler.closedAtNanos() - from;
            assertThat(handler.closedCause()).isNull();
            assertThat(Duration.ofNanos(took)).isBetween(Duration.ofMillis(195), Duration.ofSeconds(3));
        }
    }

    /** The time allowed for lingering begins with FIN, however long the output took to drain. */
    @EveryBackend
    void lingersAsLongAfterASlowDrain(Setting setting) throws IOException {
        byte[] content = Content.of(7, STALLED_BYTES);
        Handlers<Recording> handlers = new Handlers<>(() -> new Writer(content));
        Duration linger = Duration.ofMillis(800);
        try (Server server = Server.open(roomy(setting).withLinger(linger), handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            awaitStalledSend(server, handler.connection());
            server.run(handler.connection()::close);
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            long from = System.nanoTime();
            peer.expect(content);
            peer.expectEnd();
            long took = handler.closedAtNanos() - from;
            assertThat(handler.closedCause()).isNull();
            assertThat(Duration.ofNanos(took)).isGreaterThan(linger.minusMillis(5));
        }
    }

    @EveryBackend
    void givesUpOnAPeerThatNeverReads(Setting setting) throws IOException {
        byte[] content = Content.of(5, STALLED_BYTES);
        Handlers<Recording> handlers = new Handlers<>(() -> new Writer(content));
        EngineOptions options = roomy(setting).withLinger(Duration.ofMillis(200));
        try (Server server = Server.open(options, handlers);
                Peer peer = Peer.to(server.address(), 16 << 10)) {
            Recording handler = handlers.next();
            awaitStalledSend(server, handler.connection());
            long from = server.call(() -> {
                handler.connection().close();
                return System.nanoTime();
            });
            long took = handler.closedAtNanos() - from;
            assertThat(handler.closedCause()).isInstanceOf(SocketTimeoutException.class);
            assertThat(Duration.ofNanos(took)).isBetween(Duration.ofMillis(195), Duration.ofSeconds(3));
            peer.expectReset();
        }
    }

    /** A slow reader that does make progress gets everything, however long that takes in all. */
    @EveryBackend
    void doesNotGiveUpOnAPeerThatReadsSlowly(Setting setting) throws IOException {
        byte[] content = Content.of(6, STALLED_BYTES);
        Handlers<Recording> handlers = new Handlers<>(() -> new Writer(content));
        EngineOptions options =
                roomy(setting).withLinger(Duration.ofMillis(400)).withOutputBuffers(64, 256 << 10);
        try (Server server = Server.open(options, handlers);
                Peer peer = Peer.to(server.address(), 64 << 10)) {
            Recording handler = handlers.next();
            awaitStalledSend(server, handler.connection());
            server.run(handler.connection()::close);
            // About 8 MB/s: half the content takes longer than the time allowed without progress.
            byte[] received = new byte[content.length];
            for (int at = 0; at < received.length; ) {
                int part = Math.min(131_072, received.length - at);
                System.arraycopy(peer.receive(part), 0, received, at, part);
                at += part;
                await().pollDelay(Duration.ofMillis(15)).until(() -> true);
            }
            Content.requireSame(content, received);
            peer.expectEnd();
            peer.finish();
            assertThat(handler.closedCause()).isNull();
        }
    }

    /** An abort in the same turn as a write: nothing of it need arrive, but the end is a reset. */
    @EveryBackend
    void writeThenAbortInOneCall(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                connection.write(data);
                connection.abort();
                connection.abort();
                connection.close();
            }
        });
        try (Server server = Server.open(setting, handlers)) {
            for (int i = 0; i < 100; i++) {
                try (Peer peer = server.connect()) {
                    peer.send("go");
                    peer.expectReset();
                }
                assertThat(handlers.next().closedCause()).isNull();
            }
        }
    }

    /** After the close the descriptor is gone: a peer that goes on is told so. */
    @EveryBackend
    void descriptorIsClosedWhenClosedIsCalled(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        EngineOptions options = setting.options().withLinger(Duration.ofMillis(50));
        try (Server server = Server.open(options, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            server.run(handler.connection()::close);
            handler.closedCause();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            peer.send("anybody there?");
                            await().pollDelay(Duration.ofMillis(5)).until(() -> true);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
    }
}
