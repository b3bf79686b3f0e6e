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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handler that throws ends its own connection, by reset and with the cause told, and nothing else. */
@Fault(32)
class ThrowingHandlerTest {
    /** An exception, and errors that are not. */
    private static final Supplier<Throwable>[] KINDS = kinds();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Supplier<Throwable>[] kinds() {
        return new Supplier[] {
            () -> new IllegalArgumentException("planted"),
            () -> new AssertionError("planted"),
            () -> new StackOverflowError("planted"),
            () -> new OutOfMemoryError("planted"),
            () -> new java.io.IOException("planted")
        };
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static class Thrower extends Recording {
        private final String where;
        private final Throwable thrown;

        Thrower(String where, Throwable thrown) {
            this.where = where;
            this.thrown = thrown;
        }

        private void here(String call) {
            if (call.equals(where)) {
                ThrowingHandlerTest.<RuntimeException>sneak(thrown);
            }
        }

        @Override
        public void opened(Connection connection) {
            super.opened(connection);
            here("opened");
        }

        @Override
        public void received(Connection connection, Buffer data) {
            super.received(connection, data);
            connection.write(data);
            here("received");
            connection.writable();
        }

        @Override
        public void inputEnded(Connection connection) {
            super.inputEnded(connection);
            here("inputEnded");
        }

        @Override
        public void drained(Connection connection) {
            super.drained(connection);
            here("drained");
        }

        @Override
        public void closed(Connection connection, @Nullable Throwable cause) {
            super.closed(connection, cause);
            here("closed");
        }
    }

    /** Brings the peer to where the handler throws. */
    private interface Provocation {
        void provoke(Peer peer) throws IOException;
    }

    private static void requireAborted(Setting setting, String where, Provocation provocation) throws IOException {
        for (Supplier<Throwable> kind : KINDS) {
            Throwable thrown = kind.get();
            Handlers<Recording> handlers = new Handlers<>(() -> new Thrower(where, thrown));
            EngineOptions options = setting.options().withWatermarks(10, 100);
            try (Server server = Server.open(options, handlers);
                    Peer peer = server.connect()) {
                provocation.provoke(peer);
                Recording handler = handlers.next();
                assertThat(handler.closedCause()).as("the cause after " + where).isSameAs(thrown);
                peer.expectReset();
                assertThat(server.count(Counter.HANDLER_FAILURES)).isEqualTo(1);
                requireAlive(server, handlers);
            }
        }
    }

    private static void requireAlive(Server server, Handlers<Recording> handlers) throws IOException {
        try (var _ = server.connect()) {
            Recording handler = handlers.next();
            handler.connection();
            assertThat(handler.hasClosed()).isFalse();
        }
    }

    @EveryBackend
    void inOpened(Setting setting) throws IOException {
        for (Supplier<Throwable> kind : KINDS) {
            Throwable thrown = kind.get();
            Handlers<Recording> handlers = new Handlers<>(() -> new Thrower("opened", thrown));
            try (Server server = Server.open(setting, handlers)) {
                Peer.expectResetBy(server.address());
                assertThat(handlers.next().closedCause()).isSameAs(thrown);
                assertThat(server.count(Counter.HANDLER_FAILURES)).isEqualTo(1);
            }
        }
    }

    @EveryBackend
    void inReceived(Setting setting) throws IOException {
        requireAborted(setting, "received", peer -> peer.send("x"));
    }

    @EveryBackend
    void inInputEnded(Setting setting) throws IOException {
        requireAborted(setting, "inputEnded", Peer::finish);
    }

    @EveryBackend
    void inDrained(Setting setting) throws IOException {
        requireAborted(setting, "drained", peer -> peer.send(new byte[1000]));
    }

    @EveryBackend
    void inClosed(Setting setting) throws IOException {
        IllegalStateException thrown = new IllegalStateException("planted");
        Handlers<Recording> handlers = new Handlers<>(() -> new Thrower("closed", thrown));
        try (Server server = Server.open(setting, handlers)) {
            for (int i = 1; i <= 3; i++) {
                try (Peer peer = server.connect()) {
                    Recording handler = handlers.next();
                    server.run(handler.connection()::close);
                    peer.expectEnd();
                    peer.finish();
                    assertThat(handler.closedCause()).isNull();
                }
                int failures = i;
                await().until(() -> server.count(Counter.HANDLER_FAILURES) == failures);
                assertThat(server.count(Counter.CONNECTIONS_CLOSED)).isEqualTo(i);
            }
        }
    }

    @EveryBackend
    void inTheFunctionOfHandlers(Setting setting) throws IOException {
        try (Server server = Server.open(setting, connection -> {
            throw new IllegalStateException("planted");
        })) {
            for (int i = 0; i < 3; i++) {
                Peer.expectResetBy(server.address());
            }
            await().until(() -> server.count(Counter.CONNECTIONS_CLOSED) == 3);
            assertThat(server.count(Counter.HANDLER_FAILURES)).isEqualTo(3);
        }
    }

    @EveryBackend
    @SuppressWarnings("NullAway") // the mistake under test
    void theFunctionOfHandlersReturnsNull(Setting setting) throws IOException {
        try (Server server = Server.open(setting, connection -> null)) {
            Peer.expectResetBy(server.address());
            assertThat(server.count(Counter.HANDLER_FAILURES)).isEqualTo(1);
        }
    }

    /** Buffers do not leak: many more connections throw than there are buffers. */
    @EveryBackend
    void throwingLeaksNoBuffer(Setting setting) throws IOException {
        IllegalStateException thrown = new IllegalStateException("planted");
        EngineOptions options = setting.options().withReceiveBuffers(8, 256).withRing(64, 256, 8);
        try (Server server = Server.open(options, connection -> new Thrower("received", thrown))) {
            for (int i = 0; i < 50; i++) {
                try (Peer peer = server.connect()) {
                    peer.send(new byte[1000]);
                    peer.expectReset();
                }
            }
            await().until(() -> server.count(Counter.HANDLER_FAILURES) == 50);
        }
    }

    @EveryBackend
    void tasksAndTimersThatThrowLeaveTheLoopAlive(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            server.loop().execute(() -> {
                throw new IllegalStateException("planted in a task");
            });
            server.run(() -> server.loop().schedule(0, () -> {
                throw new AssertionError("planted in a timer");
            }));
            await().until(() -> server.count(Counter.HANDLER_FAILURES) == 2);
            peer.exchange(Content.of(1, 1000));
        }
    }
}
