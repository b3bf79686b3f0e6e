package dev.headrace.conformance;

import static java.net.StandardSocketOptions.SO_KEEPALIVE;
import static java.net.StandardSocketOptions.SO_LINGER;
import static java.net.StandardSocketOptions.SO_RCVBUF;
import static java.net.StandardSocketOptions.SO_SNDBUF;
import static java.net.StandardSocketOptions.TCP_NODELAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.SocketOptions;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketOption;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/** The options of sockets: those of the engine on each connection, accepted or made, and changed while it lives. */
class SocketOptionsTest {
    private static final int BYTES = 48 << 10;

    /** An accepted and a connected one. */
    private static List<Connection> pair(Server server, Handlers<Recording> handlers) {
        Handlers<Recording> clients = new Handlers<>(Recording::new);
        server.group().connect(server.address(), clients, (address, cause) -> {
            throw new AssertionError(cause);
        });
        return List.of(handlers.next().connection(), clients.next().connection());
    }

    private static <T> T option(Server server, Connection connection, SocketOption<T> option) {
        return server.call(() -> connection.option(option));
    }

    @EveryBackend
    void byDefaultNothingIsDelayed(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers)) {
            for (Connection connection : pair(server, handlers)) {
                assertThat(option(server, connection, TCP_NODELAY)).isTrue();
                assertThat(option(server, connection, SO_KEEPALIVE)).isFalse();
                assertThat(option(server, connection, SO_RCVBUF)).isGreaterThan(BYTES);
            }
        }
    }

    @EveryBackend
    void asChosen(Setting setting) throws IOException {
        SocketOptions chosen =
                SocketOptions.defaults().withNoDelay(false).withKeepAlive(true).withKernelBuffers(BYTES, BYTES / 2);
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        EngineOptions options = setting.options().withSocketOptions(chosen);
        try (Server server = Server.open(options, handlers)) {
            for (Connection connection : pair(server, handlers)) {
                assertThat(option(server, connection, TCP_NODELAY)).isFalse();
                assertThat(option(server, connection, SO_KEEPALIVE)).isTrue();
                assertThat(option(server, connection, SO_RCVBUF)).isEqualTo(BYTES);
                assertThat(option(server, connection, SO_SNDBUF)).isEqualTo(BYTES / 2);
            }
        }
    }

    @EveryBackend
    void changedWhileTheConnectionLives(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            server.run(() -> {
                connection.setOption(TCP_NODELAY, false);
                connection.setOption(SO_KEEPALIVE, true);
                connection.setOption(SO_RCVBUF, BYTES);
                connection.setOption(SO_SNDBUF, BYTES);
                connection.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 77);
            });
            assertThat(option(server, connection, TCP_NODELAY)).isFalse();
            assertThat(option(server, connection, SO_KEEPALIVE)).isTrue();
            assertThat(option(server, connection, SO_RCVBUF)).isEqualTo(BYTES);
            assertThat(option(server, connection, SO_SNDBUF)).isEqualTo(BYTES);
            assertThat(option(server, connection, ExtendedSocketOptions.TCP_KEEPIDLE))
                    .isEqualTo(77);
            peer.exchange(Content.of(1, 300_000));
        }
    }

    @EveryBackend
    @SuppressWarnings("unchecked") // a value of the wrong type is the mistake under test
    void mistakesAreNamed(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            assertThatThrownBy(() -> connection.setOption(TCP_NODELAY, true))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("loop.execute");
            assertThatThrownBy(() -> connection.option(TCP_NODELAY)).isInstanceOf(IllegalStateException.class);
            server.run(() -> {
                assertThatThrownBy(() -> connection.setOption(SO_LINGER, 1))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("SO_LINGER")
                        .hasMessageContaining("TCP_NODELAY");
                assertThatThrownBy(() -> connection.option(SO_LINGER))
                        .isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> connection.setOption(SO_RCVBUF, -1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("SO_RCVBUF");
                assertThatThrownBy(
                                () -> connection.setOption((SocketOption<Object>) (SocketOption<?>) SO_RCVBUF, "much"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Integer");
                assertThatThrownBy(() -> connection.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 1_000_000))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("TCP_KEEPIDLE");
            });
            peer.finish();
            handler.closedCause();
            server.run(() -> assertThatThrownBy(() -> connection.option(TCP_NODELAY))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed"));
        }
    }
}
