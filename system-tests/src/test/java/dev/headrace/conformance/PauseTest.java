package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Reading can be paused and resumed at any time: nothing is delivered meanwhile, and nothing is lost. */
class PauseTest {
    @EveryBackend
    void nothingIsDeliveredWhilePaused(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            server.run(connection::pauseReading);
            peer.send("during the pause");
            peer.finish();
            LockSupport.parkNanos(100_000_000L);
            assertThat(handler.receivedLength()).isZero();
            assertThat(handler.inputHasEnded()).isFalse();
            server.run(connection::resumeReading);
            peer.expect("during the pause");
            peer.expectEnd();
            assertThat(handler.closedCause()).isNull();
        }
    }

    @EveryBackend
    void pausedFromTheBeginning(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Server.Echo() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connection.pauseReading();
                connection.loop().schedule(100_000_000L, connection::resumeReading);
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.send("early");
            Recording handler = handlers.next();
            handler.connection();
            LockSupport.parkNanos(30_000_000L);
            assertThat(handler.receivedLength()).isZero();
            peer.expect("early");
        }
    }

    /** The sender is held up by the kernel's buffers, so a pause bounds memory. */
    @EveryBackend
    void aPauseHoldsTheSenderUp(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            server.run(connection::pauseReading);
            byte[] content = Content.of(1, 32 << 20);
            CompletableFuture<Void> sent = peer.sendMeanwhile(content);
            LockSupport.parkNanos(100_000_000L);
            assertThat(sent).isNotDone();
            assertThat(server.count(Counter.BYTES_RECEIVED)).isLessThan(1_000_000);
            server.run(connection::resumeReading);
            sent.join();
            await().until(() -> handler.receivedLength() == content.length);
            Content.requireSame(content, handler.receivedBytes());
        }
    }

    @EveryBackend
    void pausingAndResumingAtEveryCallLosesNothing(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Server.Echo() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                connection.pauseReading();
                switch (receivedCount() % 4) {
                    case 0 -> connection.resumeReading();
                    case 1 -> connection.loop().execute(connection::resumeReading);
                    case 2 -> connection.loop().schedule(100_000L, connection::resumeReading);
                    default -> {
                        connection.resumeReading();
                        connection.pauseReading();
                        connection.resumeReading();
                    }
                }
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            byte[] content = Content.of(2, 3_000_000);
            CompletableFuture<Void> sent = Peer.meanwhile(() -> {
                peer.send(content);
                peer.finish();
            });
            Content.requireSame(content, peer.receiveToEnd());
            sent.join();
            assertThat(handlers.next().closedCause()).isNull();
        }
    }

    @EveryBackend
    void aPausedConnectionCanWriteAndClose(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            server.run(connection::pauseReading);
            peer.send("never delivered");
            server.run(() -> connection.write(new byte[] {'o', 'k'}, 0, 2));
            peer.expect("ok");
            server.run(connection::close);
            peer.expectEnd();
            peer.finish();
            assertThat(handler.closedCause()).isNull();
            assertThat(handler.receivedLength()).isZero();
        }
    }

    /** A reset during a pause shows at the latest when reading goes on, and does not spin before. */
    @EveryBackend
    void aResetDuringAPauseShowsAfterIt(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers)) {
            Peer peer = server.connect();
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            server.run(connection::pauseReading);
            peer.reset();
            long turns = server.count(Counter.TURNS);
            LockSupport.parkNanos(100_000_000L);
            assertThat(server.count(Counter.TURNS) - turns).isLessThan(25);
            server.run(connection::resumeReading);
            assertThat(handler.closedCause()).isNotNull();
        }
    }

    /** What is held back when the connection ends goes back to the pool, or the next connection would find no buffer. */
    @EveryBackend
    void whatWasHeldGoesBackAtTheClose(Setting setting) throws IOException {
        requireHeldGoesBack(setting, Connection::close);
    }

    @EveryBackend
    void whatWasHeldGoesBackAtAnAbort(Setting setting) throws IOException {
        requireHeldGoesBack(setting, Connection::abort);
    }

    private static void requireHeldGoesBack(Setting setting, Consumer<Connection> end) throws IOException {
        int sliceBytes = 512;
        EngineOptions options =
                setting.options().withReceiveBuffers(4, sliceBytes).withLinger(Duration.ofMillis(100));
        Handlers<Recording> handlers = new Handlers<>(() -> new Server.Echo() {
            @Override
            public void received(Connection connection, Buffer data) {
                if (data.length() == sliceBytes) {
                    // Kept for good; the other three that are under way with it are held back.
                    data.retain();
                    connection.pauseReading();
                } else {
                    super.received(connection, data);
                }
            }
        });
        try (Server server = Server.open(options, handlers);
                Peer peer = server.connect();
                Peer next = server.connect()) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            // While the loop sleeps all arrives, so that one turn finds four buffers full.
            CompletableFuture<Void> asleep = new CompletableFuture<>();
            server.loop().execute(() -> {
                asleep.complete(null);
                LockSupport.parkNanos(20_000_000L);
            });
            Recording.soon(asleep);
            peer.send(new byte[4 * sliceBytes]);
            await().until(() -> server.count(Counter.BYTES_RECEIVED) >= sliceBytes);
            server.run(() -> end.accept(connection));
            handler.closedCause();
            next.send("next");
            next.expect("next");
        }
    }
}
