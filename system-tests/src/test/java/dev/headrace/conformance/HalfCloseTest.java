package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Connection;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Either side may finish sending while the other goes on. */
@Fault(17)
class HalfCloseTest {
    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @EveryBackend
    void peerFinishesAndEverythingComesBackBeforeTheEnd(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            byte[] content = Content.of(1, 3_000_000);
            CompletableFuture<Void> sent = Peer.meanwhile(() -> {
                peer.send(content);
                peer.finish();
            });
            Content.requireSame(content, peer.receiveToEnd());
            sent.join();
            assertThat(handlers.next().closedCause()).isNull();
        }
    }

    /** The end of the input comes after the data that was sent right before it, never instead of it. */
    @EveryBackend
    void dataRightBeforeTheEndIsDelivered(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers)) {
            for (int i = 0; i < 300; i++) {
                try (Peer peer = server.connect()) {
                    byte[] content = Content.of(i, 1 + i * 7);
                    peer.send(content);
                    peer.finish();
                    Content.requireSame(content, peer.receiveToEnd());
                    assertThat(handlers.next().closedCause()).isNull();
                }
            }
        }
    }

    @EveryBackend
    void writesStillReachAPeerThatHasFinished(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void inputEnded(Connection connection) {
                super.inputEnded(connection);
                connection.loop().schedule(50_000_000L, () -> {
                    connection.write(ascii("late"), 0, 4);
                    connection.loop().schedule(50_000_000L, () -> {
                        connection.write(ascii("later"), 0, 5);
                        connection.close();
                    });
                });
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.finish();
            peer.expect("latelater");
            peer.expectEnd();
            Recording handler = handlers.next();
            assertThat(handler.closedCause()).isNull();
            assertThat(handler.receivedLength()).isZero();
        }
    }

    @EveryBackend
    void serverFinishesAndGoesOnReceiving(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                connection.write(ascii("greeting"), 0, 8);
                connection.shutdownOutput();
            }

            @Override
            public void inputEnded(Connection connection) {
                super.inputEnded(connection);
                connection.close();
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.expect("greeting");
            peer.expectEnd();
            Recording handler = handlers.next();
            byte[] content = Content.of(2, 2_000_000);
            peer.send(content);
            peer.finish();
            handler.inputEndedAtNanos();
            Content.requireSame(content, handler.receivedBytes());
            assertThat(handler.closedCause()).isNull();
        }
    }

    /** The FIN of a half-close waits for the output that was written before it. */
    @EveryBackend
    void outputGoesOutBeforeTheHalfClose(Setting setting) throws IOException {
        byte[] content = Content.of(3, 900_000);
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                if (data.get(0) == '?') {
                    assertThat(connection.write(content, 0, content.length)).isEqualTo(content.length);
                    connection.shutdownOutput();
                    connection.shutdownOutput();
                }
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = Peer.to(server.address(), 32 << 10)) {
            peer.send("?");
            Recording handler = handlers.next();
            Content.requireSame(content, peer.receiveToEnd());
            assertThat(handler.hasClosed()).as("closed by a half-close").isFalse();
            peer.send("!");
            peer.finish();
            handler.inputEndedAtNanos();
            assertThat(handler.receivedBytes()).isEqualTo(ascii("?!"));
            server.run(handler.connection()::close);
            assertThat(handler.closedCause()).isNull();
        }
    }
}
