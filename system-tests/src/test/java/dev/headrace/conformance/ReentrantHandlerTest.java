package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Handlers call back into the connection, while further records of it wait in the same batch. */
class ReentrantHandlerTest {
    private static final int SLICE_BYTES = 64;
    private static final int MESSAGES = 25;

    private static EngineOptions smallSlices(Setting setting) {
        return setting.options().withReceiveBuffers(256, SLICE_BYTES);
    }

    /** Makes all that the peers send meanwhile arrive in one turn. */
    private static void whileAsleep(Server server, Peer.Step step) throws IOException {
        CompletableFuture<Void> asleep = new CompletableFuture<>();
        CompletableFuture<Void> wakeUp = new CompletableFuture<>();
        server.loop().execute(() -> {
            asleep.complete(null);
            wakeUp.join();
        });
        Recording.soon(asleep);
        step.run();
        LockSupport.parkNanos(5_000_000L);
        wakeUp.complete(null);
    }

    /** Does something at the first call of received. */
    private static final class AtFirst extends Recording {
        private final Consumer<Connection> action;

        AtFirst(Consumer<Connection> action) {
            this.action = action;
        }

        @Override
        public void received(Connection connection, Buffer data) {
            super.received(connection, data);
            if (receivedCount() == 1) {
                action.accept(connection);
            }
        }
    }

    private static Recording provoke(
            Setting setting, Consumer<Connection> action, Consumer<Peer> afterwards, byte[] content)
            throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new AtFirst(action));
        try (Server server = Server.open(smallSlices(setting), handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            handler.connection();
            whileAsleep(server, () -> peer.send(content));
            afterwards.accept(peer);
            assertThat(handler.closedCause()).isNull();
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
            return handler;
        }
    }

    private static Consumer<Peer> step(StepOfPeer step) {
        return peer -> {
            try {
                step.run(peer);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
    }

    private interface StepOfPeer {
        void run(Peer peer) throws IOException;
    }

    @EveryBackend
    void closeInReceived(Setting setting) throws IOException {
        Recording handler = provoke(
                setting,
                Connection::close,
                step(peer -> {
                    peer.expectEnd();
                    peer.finish();
                }),
                Content.of(1, SLICE_BYTES * MESSAGES));
        assertThat(handler.receivedCount()).isEqualTo(1);
        assertThat(handler.inputHasEnded()).isFalse();
    }

    @EveryBackend
    void abortInReceived(Setting setting) throws IOException {
        Recording handler =
                provoke(setting, Connection::abort, step(Peer::expectReset), Content.of(1, SLICE_BYTES * MESSAGES));
        assertThat(handler.receivedCount()).isEqualTo(1);
    }

    @EveryBackend
    void pauseInReceivedAndResumeLater(Setting setting) throws IOException {
        byte[] content = Content.of(2, SLICE_BYTES * MESSAGES);
        List<Integer> callsWhilePaused = new ArrayList<>();
        CompletableFuture<Recording> self = new CompletableFuture<>();
        Handlers<Recording> handlers = new Handlers<>(() -> new AtFirst(connection -> {
            connection.pauseReading();
            connection.loop().schedule(50_000_000L, () -> {
                callsWhilePaused.add(self.join().receivedCount());
                connection.resumeReading();
            });
        }));
        try (Server server = Server.open(smallSlices(setting), handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            self.complete(handler);
            whileAsleep(server, () -> {
                peer.send(content);
                peer.finish();
            });
            handler.inputEndedAtNanos();
            Content.requireSame(content, handler.receivedBytes());
            assertThat(callsWhilePaused).containsExactly(1);
            server.run(handler.connection()::close);
            peer.expectEnd();
            assertThat(handler.closedCause()).isNull();
        }
    }

    /** Everything at once, on whichever connection comes first, with records of all the others in the same batch. */
    @EveryBackend
    void theFirstAbortsOrClosesAllOthers(Setting setting) throws IOException {
        for (Consumer<Connection> end : List.<Consumer<Connection>>of(Connection::abort, Connection::close)) {
            List<Connection> open = new ArrayList<>();
            Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
                @Override
                public void opened(Connection connection) {
                    super.opened(connection);
                    open.add(connection);
                }

                @Override
                public void received(Connection connection, Buffer data) {
                    super.received(connection, data);
                    assertThat(open).contains(connection);
                    connection.write(data);
                    open.removeIf(other -> {
                        if (other != connection) {
                            end.accept(other);
                        }
                        return other != connection;
                    });
                }
            });
            try (Server server = Server.open(smallSlices(setting), handlers)) {
                List<Peer> peers = new ArrayList<>();
                List<Recording> recordings = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    peers.add(server.connect());
                    recordings.add(handlers.next());
                    recordings.getLast().connection();
                }
                whileAsleep(server, () -> {
                    for (Peer peer : peers) {
                        peer.send(Content.of(3, SLICE_BYTES * 3));
                        peer.finish();
                    }
                });
                await().untilAsserted(() ->
                        assertThat(recordings).filteredOn(Recording::hasClosed).hasSizeGreaterThanOrEqualTo(19));
                assertThat(recordings).filteredOn(r -> r.receivedCount() > 0).hasSize(1);
                recordings.forEach(Recording::requireNoViolation);
                assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
                for (Peer peer : peers) {
                    peer.close();
                }
            }
        }
    }

    @EveryBackend
    void closeInOpened(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connection.write(new byte[] {'b', 'y', 'e'}, 0, 3);
                connection.close();
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.expect("bye");
            peer.expectEnd();
            peer.finish();
            assertThat(handlers.next().closedCause()).isNull();
        }
    }

    @EveryBackend
    void abortInOpened(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connection.abort();
            }
        });
        try (Server server = Server.open(setting, handlers)) {
            Peer.expectResetBy(server.address());
            assertThat(handlers.next().closedCause()).isNull();
        }
    }

    @EveryBackend
    void abortInInputEndedAndDrained(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                connection.write(data);
                connection.writable();
            }

            @Override
            public void inputEnded(Connection connection) {
                super.inputEnded(connection);
                connection.abort();
            }

            @Override
            public void drained(Connection connection) {
                super.drained(connection);
                connection.abort();
            }
        });
        try (Server server = Server.open(setting.options().withWatermarks(10, 50), handlers)) {
            try (Peer peer = server.connect()) {
                peer.finish();
                peer.expectReset();
                assertThat(handlers.next().closedCause()).isNull();
            }
            try (Peer peer = server.connect()) {
                peer.send(new byte[100]);
                peer.expectReset();
                assertThat(handlers.next().closedCause()).isNull();
            }
        }
    }

    /** A write inside drained that is cut short again leads to the next call, not to a recursion without end. */
    @EveryBackend
    void writesInDrainedUntilAllIsSent(Setting setting) throws IOException {
        byte[] content = Content.of(5, 2_000_000);
        int[] written = {0};
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            private void more(Connection connection) {
                written[0] += connection.write(content, written[0], content.length - written[0]);
            }

            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                more(connection);
            }

            @Override
            public void drained(Connection connection) {
                super.drained(connection);
                more(connection);
                if (written[0] == content.length) {
                    connection.close();
                }
            }
        });
        try (Server server = Server.open(setting.options().withWatermarks(0, 1000), handlers);
                Peer peer = server.connect()) {
            Content.requireSame(content, peer.receiveToEnd());
        }
    }

    @EveryBackend
    void callsInsideClosed(Setting setting) throws IOException {
        CompletableFuture<@Nullable Throwable> write = new CompletableFuture<>();
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void closed(Connection connection, @Nullable Throwable cause) {
                super.closed(connection, cause);
                assertThat(connection.open()).isFalse();
                connection.close();
                connection.abort();
                connection.shutdownOutput();
                connection.pauseReading();
                connection.resumeReading();
                assertThat(connection.writable()).isFalse();
                try {
                    connection.write(new byte[1], 0, 1);
                    write.complete(null);
                } catch (IllegalStateException expected) {
                    write.complete(expected);
                }
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            server.run(handler.connection()::close);
            peer.expectEnd();
            peer.finish();
            assertThat(handler.closedCause()).isNull();
            assertThat(Recording.soon(write)).hasMessageContaining("close");
            server.run(() -> {});
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void writeAfterAnEndBegunInReceivedIsRefused(Setting setting) throws IOException {
        List<String> refusals = new ArrayList<>();
        Handlers<Recording> handlers = new Handlers<>(() -> new AtFirst(connection -> {
            connection.shutdownOutput();
            assertThatThrownBy(() -> connection.write(new byte[1], 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("shutdownOutput");
            connection.close();
            assertThatThrownBy(() -> connection.write(new byte[1], 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("close");
            refusals.add("both");
        }));
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.send("x");
            peer.expectEnd();
            peer.finish();
            assertThat(handlers.next().closedCause()).isNull();
            assertThat(server.call(() -> refusals)).containsExactly("both");
        }
    }
}
