package dev.headrace.engine.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Backend;
import dev.headrace.engine.ConnectFailure;
import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.conformance.Server.Handlers;
import dev.headrace.engine.counter.Counter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The engine as a client: the connection comes up, or whoever wanted it is told why not. */
class ConnectTest {
    private static final ConnectFailure UNEXPECTED = (address, cause) -> {
        throw new AssertionError("connect to " + address, cause);
    };

    /** An address at which nothing listens. */
    private static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    @EveryBackend
    void toAPlainSocket(Backend backend) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Server server = Server.echo(backend)) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            server.group().connect(address, handlers, UNEXPECTED);
            try (Peer peer = Peer.of(listener.accept())) {
                peer.exchange(Content.of(1, 1_000_000));
                Recording handler = handlers.next();
                Connection connection = handler.connection();
                assertThat(server.call(connection::remoteAddress)).isEqualTo(address);
                assertThat(server.call(connection::localAddress).getPort())
                        .isEqualTo(peer.socket().getPort());
                peer.finish();
                peer.expectEnd();
                assertThat(handler.closedCause()).isNull();
            }
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    /** Both ends in the engine, on the same loops. */
    @EveryBackend
    void toItself(Backend backend) throws IOException {
        byte[] content = Content.of(2, 500_000);
        Handlers<Recording> clients = new Handlers<>(() -> new Recording() {
            @Override
            public void opened(Connection connection) {
                super.opened(connection);
                assertThat(connection.write(content, 0, content.length)).isEqualTo(content.length);
                connection.shutdownOutput();
            }

            @Override
            public void inputEnded(Connection connection) {
                super.inputEnded(connection);
                connection.close();
            }
        });
        try (Server server = Server.echo(EngineOptions.of(backend).withLoops(2))) {
            List<Recording> recordings = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                server.group().connect(server.address(), clients, UNEXPECTED);
                recordings.add(clients.next());
            }
            for (Recording client : recordings) {
                assertThat(client.closedCause()).isNull();
                Content.requireSame(content, client.receivedBytes());
            }
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void toAPortWhereNothingListens(Backend backend) throws IOException {
        InetSocketAddress address = closedPort();
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.echo(backend)) {
            long before = Descriptors.count();
            for (int i = 0; i < 100; i++) {
                CompletableFuture<IOException> failure = new CompletableFuture<>();
                CompletableFuture<Boolean> onLoop = new CompletableFuture<>();
                server.group().connect(address, handlers, (to, cause) -> {
                    assertThat(to).isEqualTo(address);
                    onLoop.complete(server.loop().inLoop());
                    failure.complete(cause);
                });
                assertThat(Recording.soon(failure))
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining(address.getHostString() + ":" + address.getPort())
                        .hasMessageContaining("ECONNREFUSED");
                assertThat(Recording.soon(onLoop)).isTrue();
            }
            Descriptors.awaitAtMost(before);
            assertThat(server.count(Counter.CONNECTIONS_OPENED)).isZero();
        }
    }

    @EveryBackend
    void toAHostThatCannotBeResolved(Backend backend) throws IOException {
        InetSocketAddress address = InetSocketAddress.createUnresolved("no-such-host.invalid", 80);
        try (Server server = Server.echo(backend)) {
            CompletableFuture<IOException> failure = new CompletableFuture<>();
            server.group().connect(address, connection -> Connection::write, (to, cause) -> failure.complete(cause));
            assertThat(Recording.soon(failure))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessageContaining("no-such-host.invalid");
        }
    }

    @EveryBackend
    void aFailureHandlerThatThrowsIsCounted(Backend backend) throws IOException {
        InetSocketAddress address = closedPort();
        try (Server server = Server.echo(backend);
                Peer peer = server.connect()) {
            server.group().connect(address, connection -> Connection::write, (to, cause) -> {
                throw new IllegalStateException("planted");
            });
            await().until(() -> server.count(Counter.HANDLER_FAILURES) == 1);
            peer.exchange(Content.of(1, 1000));
        }
    }

    @EveryBackend
    void onALoopOfChoice(Backend backend) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Server server = Server.echo(EngineOptions.of(backend).withLoops(2))) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            for (var loop : server.group().loops()) {
                assertThatThrownBy(() -> loop.connect(address, handlers, UNEXPECTED))
                        .isInstanceOf(IllegalStateException.class);
                loop.execute(() -> loop.connect(address, handlers, UNEXPECTED));
                try (Peer peer = Peer.of(listener.accept())) {
                    peer.exchange(Content.of(3, 100));
                    assertThat(handlers.next().connection().loop()).isSameAs(loop);
                }
            }
        }
    }
}
