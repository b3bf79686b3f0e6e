package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import dev.headrace.testkit.SilentAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The end of a whole group: in order where the peers play along, by force after the grace. */
class ShutdownTest {
    private static final int MESSAGE_BYTES = 100;

    /** Sends and receives messages until the end of the stream, which must come between two messages. */
    private static long talkUntilTheEnd(Peer peer, AtomicLong messages) throws IOException {
        long echoed = 0;
        byte[] message = Content.of(1, MESSAGE_BYTES);
        while (true) {
            peer.send(message);
            byte[] echo = peer.socket().getInputStream().readNBytes(MESSAGE_BYTES);
            if (echo.length == 0) {
                peer.close();
                return echoed;
            }
            Content.requireSame(message, echo);
            echoed += echo.length;
            messages.incrementAndGet();
        }
    }

    @Fault(38)
    @EveryBackend
    void underTrafficEveryPeerSeesACleanEnd(Setting setting) throws IOException {
        List<Recording> recordings = new ArrayList<>();
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        EngineOptions options = setting.options().withLoops(2);
        try (Server server = Server.open(options, handlers)) {
            AtomicLong messages = new AtomicLong();
            List<CompletableFuture<Void>> peers = new ArrayList<>();
            AtomicLong echoed = new AtomicLong();
            for (int i = 0; i < 20; i++) {
                Peer peer = server.connect();
                recordings.add(handlers.next());
                peers.add(Peer.meanwhile(() -> echoed.addAndGet(talkUntilTheEnd(peer, messages))));
            }
            await().until(() -> messages.get() > 2_000);
            long from = System.nanoTime();
            assertThat(server.group().shutdown(Duration.ofSeconds(5)))
                    .as("everything ended in order")
                    .isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(3));
            peers.forEach(Recording::soon);
            for (Recording recording : recordings) {
                assertThat(recording.closedCause()).isNull();
            }
            // What reached a handler was answered.
            assertThat(echoed.get())
                    .isEqualTo(recordings.stream()
                            .mapToLong(Recording::receivedLength)
                            .sum());
            server.requireEnded();
        }
    }

    @EveryBackend
    void pendingOutputIsDrainedWithinTheGrace(Setting setting) throws IOException {
        byte[] content = Content.of(1, 4 << 20);
        EngineOptions options = setting.options().withWatermarks(1 << 20, 8 << 20);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connection.write(content, 0, content.length);
            }
        });
        try (Server server = Server.open(options, handlers);
                Peer peer = Peer.to(server.address(), 32 << 10)) {
            handlers.next().connection();
            CompletableFuture<Void> read = Peer.meanwhile(() -> {
                await().pollDelay(Duration.ofMillis(50)).until(() -> true);
                Content.requireSame(content, peer.receiveToEnd());
                peer.finish();
            });
            assertThat(server.group().shutdown(Duration.ofSeconds(10))).isTrue();
            Recording.soon(read);
            server.requireEnded();
        }
    }

    @EveryBackend
    void aPeerThatIsStuckIsResetAfterTheGrace(Setting setting) throws IOException {
        byte[] content = Content.of(1, 8 << 20);
        EngineOptions options = setting.options().withWatermarks(1 << 20, 16 << 20);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connection.write(content, 0, content.length);
            }
        });
        try (Server server = Server.open(options, handlers);
                Peer peer = Peer.to(server.address(), 16 << 10)) {
            Recording handler = handlers.next();
            handler.connection();
            long from = System.nanoTime();
            assertThat(server.group().shutdown(Duration.ofMillis(100)))
                    .as("everything ended in order")
                    .isFalse();
            assertThat(Duration.ofNanos(System.nanoTime() - from))
                    .isBetween(Duration.ofMillis(95), Duration.ofSeconds(3));
            assertThat(peer.expectReset()).isLessThan(content.length);
            handler.closedCause();
            server.requireEnded();
        }
    }

    @EveryBackend
    void idleConnectionsEndAtOnceAndNoNewOnesBegin(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            handler.connection();
            CompletableFuture<Void> closes = Peer.meanwhile(() -> {
                peer.expectEnd();
                peer.finish();
            });
            assertThat(server.group().shutdown(Duration.ofSeconds(5))).isTrue();
            Recording.soon(closes);
            assertThat(handler.closedCause()).isNull();
            assertThatThrownBy(server::connect).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> server.group().listen(Server.anyPort(), handlers))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> server.group().connect(server.address(), handlers, (address, cause) -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(server.group().shutdown(Duration.ofSeconds(1)))
                    .as("a second shutdown")
                    .isTrue();
            server.group().close();
            server.requireEnded();
        }
    }

    /** Connections that are on their way from the accepting loop to another when both are told to stop. */
    @Fault(38)
    @EveryBackend
    void connectionsThatArriveMeanwhileAreNotLeftBehind(Setting setting) throws IOException {
        openAndClose(setting);
        long before = Descriptors.count();
        for (int round = 0; round < 20; round++) {
            EngineOptions options = setting.options().withLoops(3);
            AtomicBoolean stopped = new AtomicBoolean();
            try (Server server = Server.open(options, connection -> Connection::write)) {
                InetSocketAddress address = server.address();
                CompletableFuture<Void> storm = Peer.meanwhile(() -> {
                    for (int i = 0; i < 2_000 && !stopped.get(); i++) {
                        connectAndAwaitAnEnd(address);
                    }
                });
                await().until(() -> server.count(Counter.CONNECTIONS_OPENED) > 10);
                server.group().shutdown(Duration.ofSeconds(2));
                stopped.set(true);
                Recording.soon(storm);
                server.requireEnded();
            }
        }
        Descriptors.awaitAtMost(before);
    }

    /** Whoever was accepted sees an end or a reset; silence means that nobody owns the connection. */
    private static void connectAndAwaitAnEnd(InetSocketAddress address) throws IOException {
        try (Peer peer = Peer.to(address)) {
            peer.finish();
            peer.receiveToEnd();
        } catch (ConnectException refused) {
            // The listener is closed.
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    /** A connect that the other side does not answer must not keep the loop alive. */
    @EveryBackend
    void aConnectThatHangsIsGivenUp(Setting setting) throws IOException {
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        try (SilentAddress silent = SilentAddress.open();
                Server server = Server.echo(setting)) {
            server.group()
                    .connect(silent.address(), connection -> Connection::write, (to, cause) -> failure.complete(cause));
            await().pollDelay(Duration.ofMillis(30)).until(() -> true);
            assertThat(failure).as("the connect under test").isNotDone();
            long from = System.nanoTime();
            server.group().shutdown(Duration.ofMillis(100));
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(4));
            server.requireEnded();
            assertThat(failure).as("whoever wanted to connect was told").isDone();
            assertThat(Recording.soon(failure)).hasMessageContaining("shut down");
        }
    }

    /** Waiting for the loops on one of them could only end by the grace. */
    @EveryBackend
    void onALoopThreadItIsRefused(Setting setting) throws IOException {
        CompletableFuture<Optional> outcome = new CompletableFuture<>();
        try (Server server = Server.echo(setting)) {
            server.loop().execute(() -> {
                try {
                    server.group().shutdown(Duration.ofMillis(100));
                    outcome.complete(new Optional(null));
                } catch (Throwable thrown) {
                    outcome.complete(new Optional(thrown));
                }
            });
            assertThat(Recording.soon(outcome).thrown()).isInstanceOf(IllegalStateException.class);
        }
    }

    private record Optional(@Nullable Throwable thrown) {}

    /** What a loop holds of the kernel goes back with it. */
    @Fault({18, 28})
    @EveryBackend
    void givesEveryDescriptorBack(Setting setting) throws IOException {
        // The JDK opens descriptors of its own when the first socket is closed.
        openAndClose(setting);
        long before = Descriptors.count();
        for (int i = 0; i < 30; i++) {
            openAndClose(setting);
        }
        Descriptors.awaitAtMost(before);
    }

    private static void openAndClose(Setting setting) throws IOException {
        try (Server server = Server.echo(setting.options().withLoops(2));
                Peer peer = server.connect()) {
            peer.exchange(Content.of(1, 1000));
        }
    }

    /** A buffer that is still out when its loop ends stays readable, and its release does no harm. */
    @EveryBackend
    void aBufferOutlivesItsLoop(Setting setting) throws IOException {
        CompletableFuture<Buffer> kept = new CompletableFuture<>();
        byte[] content = Content.of(7, 1000);
        try (Server server = Server.open(setting, connection -> (c, data) -> kept.complete(data.retain()));
                Peer peer = server.connect()) {
            peer.send(content);
            Recording.soon(kept);
        }
        Buffer buffer = Recording.soon(kept);
        Content.requireSame(content, buffer.toArray());
        buffer.release();
    }
}
