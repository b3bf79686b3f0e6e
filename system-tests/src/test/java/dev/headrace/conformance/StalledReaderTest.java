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
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Back-pressure: a peer that does not read bounds what is kept for it, and gets every byte once it reads. */
class StalledReaderTest {
    private static final int BYTES = 8 << 20;
    private static final int LOW_BYTES = 64 << 10;
    private static final int HIGH_BYTES = 256 << 10;

    /** Writes as the watermarks allow, in pieces of odd sizes, and closes at the end. */
    private static final class Pump extends Recording {
        private final byte[] content;
        private final AtomicLong pendingMax = new AtomicLong();
        private final AtomicLong pendingAtDrainedMax = new AtomicLong();
        private int written;

        Pump(byte[] content) {
            this.content = content;
        }

        @Override
        public void opened(Connection connection) {
            super.opened(connection);
            pump(connection);
        }

        @Override
        public void drained(Connection connection) {
            super.drained(connection);
            pendingAtDrainedMax.accumulateAndGet(connection.outputPendingBytes(), Math::max);
            pump(connection);
        }

        private void pump(Connection connection) {
            while (written < content.length) {
                int wanted = Math.min(50_001, content.length - written);
                int taken = connection.write(content, written, wanted);
                written += taken;
                pendingMax.accumulateAndGet(connection.outputPendingBytes(), Math::max);
                if (taken < wanted) {
                    return;
                }
            }
            connection.close();
        }
    }

    @Fault({13, 48})
    @EveryBackend
    void writesStopAtTheHighWatermarkAndGoOnAfterTheLow(Setting setting) throws IOException {
        byte[] content = Content.of(1, BYTES);
        EngineOptions options = setting.options().withWatermarks(LOW_BYTES, HIGH_BYTES);
        Handlers<Pump> handlers = new Handlers<>(() -> new Pump(content));
        try (Server server = Server.open(options, handlers);
                Peer peer = Peer.to(server.address(), 64 << 10)) {
            Pump pump = handlers.next();
            Connection connection = pump.connection();
            await().during(Duration.ofMillis(100)).until(() -> server.call(connection::outputPendingBytes) > LOW_BYTES);
            long sentWhileStalled = server.count(Counter.BYTES_SENT);
            assertThat(sentWhileStalled).isLessThan(BYTES - HIGH_BYTES);
            Content.requireSame(content, peer.receiveToEnd());
            peer.finish();
            assertThat(pump.closedCause()).isNull();
            assertThat(pump.pendingMax.get()).isLessThanOrEqualTo(HIGH_BYTES).isGreaterThan(LOW_BYTES);
            assertThat(pump.pendingAtDrainedMax.get()).isLessThanOrEqualTo(LOW_BYTES);
            assertThat(pump.drainedCount()).isPositive();
            assertThat(server.count(Counter.BYTES_SENT)).isEqualTo(BYTES);
        }
    }

    /** No call of drained without a write that was cut short or a writable() that was false. */
    @EveryBackend
    void drainedIsToldOnlyToWhoeverWaits(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.exchange(Content.of(1, 300_000));
            Recording handler = handlers.next();
            assertThat(handler.drainedCount()).isZero();
            peer.finish();
            peer.expectEnd();
            handler.closedCause();
            assertThat(handler.drainedCount()).isZero();
        }
    }

    @Fault({13, 48})
    @EveryBackend
    void echoStopsReadingWhileThePeerDoesNotRead(Setting setting) throws IOException {
        // More than the kernel takes on its way there and back.
        byte[] content = Content.of(2, 3 * BYTES);
        EngineOptions options =
                setting.options().withWatermarks(LOW_BYTES, HIGH_BYTES).withReceiveBuffers(256, 4096);
        AtomicLong pendingMax = new AtomicLong();
        Handlers<Recording> handlers = new Handlers<>(() -> new Server.Echo() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                pendingMax.accumulateAndGet(connection.outputPendingBytes(), Math::max);
            }
        });
        try (Server server = Server.open(options, handlers);
                Peer peer = Peer.to(server.address(), 64 << 10);
                Peer bystander = server.connect()) {
            Recording handler = handlers.next();
            CompletableFuture<Void> sent = Peer.meanwhile(() -> {
                peer.send(content);
                peer.finish();
            });
            awaitStandstill(server);
            long received = server.count(Counter.BYTES_RECEIVED);
            assertThat(received).as("bytes received while stalled").isLessThan(BYTES);
            // What one turn receives comes on top: most of the pool when the loop was late and its work is not
            // deferred.
            assertThat(received - server.count(Counter.BYTES_SENT)).isLessThan(HIGH_BYTES + 224 * 4096);
            assertThat(sent).as("the sender").isNotDone();
            // The connection stopped before it held all buffers, so others still have some.
            bystander.exchange(Content.of(3, 100_000));
            Content.requireSame(content, peer.receiveToEnd());
            sent.join();
            assertThat(handler.closedCause()).isNull();
            // Above the high watermark lies at most what was received in the turn that reached it.
            assertThat(pendingMax.get()).isLessThan(HIGH_BYTES + 224 * 4096);
        }
    }

    /** Waits until nothing moves any more, and sees to it that the loop rests then. */
    private static void awaitStandstill(Server server) {
        AtomicLong last = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            long now = server.count(Counter.BYTES_RECEIVED);
            return last.getAndSet(now) == now && now > HIGH_BYTES;
        });
        long turns = server.count(Counter.TURNS);
        await().pollDelay(Duration.ofMillis(100)).until(() -> true);
        assertThat(server.count(Counter.TURNS) - turns)
                .as("turns while nothing moves")
                .isLessThan(50);
    }

    /** Several writers share too few output slices: whoever got none is told when there are some again. */
    @EveryBackend
    void writersThatFoundNoSliceGoOn(Setting setting) throws IOException {
        byte[] content = Content.of(4, 200_000);
        EngineOptions options = setting.options().withOutputBuffers(2, 4096);
        Handlers<Pump> handlers = new Handlers<>(() -> new Pump(content));
        try (Server server = Server.open(options, handlers);
                Peer first = server.connect();
                Peer second = server.connect();
                Peer third = server.connect()) {
            Content.requireSame(content, first.receiveToEnd());
            Content.requireSame(content, second.receiveToEnd());
            Content.requireSame(content, third.receiveToEnd());
        }
    }

    /** The only output slice goes out with a send that nobody waits for; the writer that found none is told. */
    @EveryBackend
    void aSliceThatWasSentFeedsTheNextWriter(Setting setting) throws IOException {
        EngineOptions options = setting.options().withOutputBuffers(1, 4096);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void drained(Connection connection) {
                super.drained(connection);
                assertThat(connection.write(new byte[100], 0, 100)).isEqualTo(100);
            }
        });
        try (Server server = Server.open(options, handlers);
                Peer first = server.connect();
                Peer second = server.connect()) {
            Connection one = handlers.next().connection();
            Connection two = handlers.next().connection();
            for (int i = 0; i < 5; i++) {
                server.run(() -> {
                    assertThat(one.write(new byte[100], 0, 100)).isEqualTo(100);
                    assertThat(two.write(new byte[100], 0, 100)).isZero();
                });
                first.expect(new byte[100]);
                second.expect(new byte[100]);
            }
        }
    }

    /** As before, but the shortage shows only in the flush, when the slice has already gone out. */
    @EveryBackend
    void aSliceThatWasSentFeedsWhoeverComesLaterInTheTurn(Setting setting) throws IOException {
        EngineOptions options = setting.options().withOutputBuffers(1, 4096).withReceiveBuffers(64, 64);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                if (receivedCount() == 1) {
                    connection.pauseReading();
                } else {
                    connection.write(new byte[100], 0, 100);
                }
            }

            @Override
            public void drained(Connection connection) {
                super.drained(connection);
                connection.write(new byte[100], 0, 100);
            }
        });
        try (Server server = Server.open(options, handlers);
                Peer first = server.connect();
                Peer second = server.connect()) {
            Connection one = handlers.next().connection();
            Recording other = handlers.next();
            Connection two = other.connection();
            // Two slices arrive together: the first pauses the reading, the second is held back.
            server.run(() -> {
                try {
                    second.send(new byte[128]);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                LockSupport.parkNanos(20_000_000L);
            });
            await().until(() -> other.receivedCount() == 1);
            // Where a receive goes on until nothing is left the second slice is here by now; elsewhere it comes after
            // the pause.
            await().during(Duration.ofMillis(20)).until(() -> server.count(Counter.BYTES_RECEIVED) >= 64);
            server.run(() -> {
                assertThat(one.write(new byte[100], 0, 100)).isEqualTo(100);
                two.resumeReading();
            });
            first.expect(new byte[100]);
            second.expect(new byte[100]);
        }
    }
}
