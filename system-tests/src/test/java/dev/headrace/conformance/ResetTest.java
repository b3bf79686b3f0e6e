package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
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
import java.util.concurrent.locks.LockSupport;

/** A peer that resets the connection ends that connection, once, and nothing else. */
class ResetTest {
    @Fault(16)
    @EveryBackend
    void whileReceiving(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer bystander = server.connect()) {
            handlers.next();
            for (int i = 0; i < 50; i++) {
                Peer peer = server.connect();
                peer.send("hello");
                peer.expect("hello");
                peer.reset();
                Recording handler = handlers.next();
                assertThat(handler.closedCause())
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("ECONNRESET");
                assertThat(handler.inputHasEnded()).as("an orderly end").isFalse();
            }
            bystander.exchange(Content.of(1, 10_000));
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @Fault(16)
    @EveryBackend
    void whileSendingToAReaderThatHasStalled(Setting setting) throws IOException {
        EngineOptions options =
                setting.options().withWatermarks(1 << 20, 12 << 20).withOutputBuffers(4096, 4096);
        byte[] content = Content.of(1, 12 << 20);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                assertThat(connection.write(content, 0, content.length)).isEqualTo(content.length);
            }
        });
        try (Server server = Server.open(options, handlers)) {
            for (int i = 0; i < 3; i++) {
                Peer peer = server.connect();
                Recording handler = handlers.next();
                Connection connection = handler.connection();
                await().during(Duration.ofMillis(50))
                        .until(() -> server.call(connection::outputPendingBytes) > 1_000_000);
                peer.reset();
                assertThat(handler.closedCause()).isInstanceOf(SocketException.class);
                assertThat(server.call(connection::outputPendingBytes))
                        .as("pending output after the end")
                        .isZero();
            }
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    /** Writing into a connection that the peer has reset raises no signal and no exception. */
    @Fault(15)
    @EveryBackend
    void writesAfterAResetAreHarmless(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers)) {
            for (int i = 0; i < 50; i++) {
                Peer peer = server.connect();
                Recording handler = handlers.next();
                Connection connection = handler.connection();
                server.run(connection::pauseReading);
                peer.reset();
                // The pause hides the reset from the receive: the sends find it.
                server.call(() -> connection.write(new byte[1000], 0, 1000));
                await().pollInterval(Duration.ofMillis(5)).until(() -> {
                    server.call(() -> connection.open() ? connection.write(new byte[1000], 0, 1000) : 0);
                    return handler.hasClosed();
                });
                assertThat(handler.closedCause()).isInstanceOf(SocketException.class);
            }
            try (Peer peer = server.connect()) {
                Recording handler = handlers.next();
                peer.send("alive");
                await().until(() -> handler.receivedLength() == 5);
            }
        }
    }

    /** Reset before the connection was accepted: accepting goes on. */
    @Fault(12)
    @EveryBackend
    void inTheBacklog(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            for (int round = 0; round < 8; round++) {
                server.loop().execute(() -> LockSupport.parkNanos(20_000_000L));
                for (int i = 0; i < 10; i++) {
                    server.connect().reset();
                }
                try (Peer peer = server.connect()) {
                    peer.exchange(Content.of(round, 100));
                }
            }
            await().until(() -> server.count(Counter.CONNECTIONS_OPENED) == server.count(Counter.CONNECTIONS_CLOSED));
        }
    }
}
