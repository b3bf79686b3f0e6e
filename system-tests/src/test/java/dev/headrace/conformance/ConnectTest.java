package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.ConnectAttempt;
import dev.headrace.engine.ConnectFailure;
import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import dev.headrace.testkit.SilentAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
    void toAPlainSocket(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Server server = Server.echo(setting)) {
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
    void toItself(Setting setting) throws IOException {
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
        try (Server server = Server.echo(setting.options().withLoops(2))) {
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
    void toAPortWhereNothingListens(Setting setting) throws IOException {
        InetSocketAddress address = closedPort();
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.echo(setting)) {
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
    void toAHostThatCannotBeResolved(Setting setting) throws IOException {
        InetSocketAddress address = InetSocketAddress.createUnresolved("no-such-host.invalid", 80);
        try (Server server = Server.echo(setting)) {
            CompletableFuture<IOException> failure = new CompletableFuture<>();
            server.group().connect(address, connection -> Connection::write, (to, cause) -> failure.complete(cause));
            assertThat(Recording.soon(failure))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessageContaining("no-such-host.invalid");
        }
    }

    @EveryBackend
    void aFailureHandlerThatThrowsIsCounted(Setting setting) throws IOException {
        InetSocketAddress address = closedPort();
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            server.group().connect(address, connection -> Connection::write, (to, cause) -> {
                throw new IllegalStateException("planted");
            });
            await().until(() -> server.count(Counter.HANDLER_FAILURES) == 1);
            peer.exchange(Content.of(1, 1000));
        }
    }

    @EveryBackend
    void onALoopOfChoice(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Server server = Server.echo(setting.options().withLoops(2))) {
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

    @EveryBackend
    void withoutAnAnswerWithinTheTime(Setting setting) throws IOException {
        EngineOptions options = setting.options().withConnectTimeout(Duration.ofMillis(250));
        try (SilentAddress silent = SilentAddress.open();
                Server server = Server.echo(options)) {
            long before = Descriptors.count();
            Outcome outcome = new Outcome();
            long from = System.nanoTime();
            server.group().connect(silent.address(), outcome, outcome);
            assertThat(outcome.failure())
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessageContaining(
                            "connect to localhost:" + silent.address().getPort())
                    .hasMessageContaining("no answer within 250 ms");
            assertThat(Duration.ofNanos(System.nanoTime() - from))
                    .isBetween(Duration.ofMillis(250), Duration.ofSeconds(5));
            Descriptors.awaitAtMost(before);
            assertThat(outcome.timesTold()).isEqualTo(1);
        }
    }

    @EveryBackend
    void cancelledWhileItHangs(Setting setting) throws IOException {
        try (SilentAddress silent = SilentAddress.open();
                Server server = Server.echo(setting)) {
            long before = Descriptors.count();
            Outcome outcome = new Outcome();
            ConnectAttempt attempt = server.group().connect(silent.address(), outcome, outcome);
            assertThat(attempt.address()).isEqualTo(silent.address());
            await().until(() -> Descriptors.count() > before);
            assertThat(outcome.timesTold()).isZero();
            attempt.cancel();
            attempt.cancel();
            assertThat(outcome.failure()).hasMessageContaining("cancelled");
            Descriptors.awaitAtMost(before);
            attempt.cancel();
            server.run(() -> {});
            assertThat(outcome.timesTold()).isEqualTo(1);
        }
    }

    /** Cancelled in the same breath, or a moment later: the kernel may have connected by then, but no handler hears of it. */
    @EveryBackend
    void cancelledAtAnyMomentOneOutcomeIsTold(Setting setting) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
                Server server = Server.echo(setting)) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            server.run(() -> {});
            long before = Descriptors.count();
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Outcome outcome = new Outcome();
                outcomes.add(outcome);
                ConnectAttempt attempt = server.group().connect(address, outcome, outcome);
                LockSupport.parkNanos(i % 3 == 0 ? 0 : i * 500L);
                attempt.cancel();
            }
            for (Outcome outcome : outcomes) {
                await().until(() -> outcome.timesTold() == 1);
            }
            assertThat(outcomes).as("attempts that were cancelled in time").anyMatch(Outcome::failed);
            server.run(() -> outcomes.forEach(Outcome::abort));
            Descriptors.awaitAtMost(before);
            assertThat(outcomes).allMatch(outcome -> outcome.timesTold() == 1);
        }
    }

    /** On the loop itself nothing has happened yet when the call returns. */
    @EveryBackend
    void cancelledBeforeItWasSubmitted(Setting setting) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Server server = Server.echo(setting)) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            long before = Descriptors.count();
            Outcome outcome = new Outcome();
            server.run(() -> server.loop().connect(address, outcome, outcome).cancel());
            assertThat(outcome.failure()).hasMessageContaining("cancelled");
            Descriptors.awaitAtMost(before);
            assertThat(outcome.timesTold()).isEqualTo(1);
        }
    }

    /** After the handler has heard of it the connection is its own. */
    @EveryBackend
    void cancelledTooLate(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Server server = Server.echo(setting)) {
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            ConnectAttempt attempt = server.group().connect(address, handlers, UNEXPECTED);
            try (Peer peer = Peer.of(listener.accept())) {
                handlers.next().connection();
                attempt.cancel();
                peer.exchange(Content.of(1, 10_000));
            }
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void overIpv6(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        InetSocketAddress anyPort = new InetSocketAddress("::1", 0);
        try (Server server = Server.echo(setting);
                Listener listener = server.group().listen(anyPort, handlers)) {
            assertThat(listener.address().getAddress()).isEqualTo(anyPort.getAddress());
            try (Peer peer = Peer.to(listener.address())) {
                peer.exchange(Content.of(1, 100_000));
                InetSocketAddress remote = server.call(handlers.next().connection()::remoteAddress);
                assertThat(remote.getAddress()).isEqualTo(anyPort.getAddress());
                assertThat(remote.getPort()).isEqualTo(peer.localPort());
            }
            Handlers<Recording> clients = new Handlers<>(Recording::new);
            server.group().connect(listener.address(), clients, UNEXPECTED);
            Connection client = clients.next().connection();
            assertThat(server.call(client::remoteAddress)).isEqualTo(listener.address());
            server.run(client::close);
            InetSocketAddress inUse = listener.address();
            assertThatThrownBy(() -> server.group().listen(inUse, handlers))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("[0:0:0:0:0:0:0:1]:" + inUse.getPort());
        }
    }

    /** One socket for both families: a peer of the older one shows with its plain address. */
    @EveryBackend
    void onAllAddressesOfBothFamilies(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.echo(setting);
                Listener listener = server.group().listen(new InetSocketAddress("::", 0), handlers)) {
            for (String host : List.of("127.0.0.1", "::1")) {
                InetSocketAddress address =
                        new InetSocketAddress(host, listener.address().getPort());
                try (Peer peer = Peer.to(address)) {
                    peer.exchange(Content.of(1, 1000));
                    InetSocketAddress remote = server.call(handlers.next().connection()::remoteAddress);
                    assertThat(remote).isEqualTo(new InetSocketAddress(host, peer.localPort()));
                }
            }
        }
    }

    /** What became of one attempt, and how often it was told. */
    private static final class Outcome implements ConnectFailure, Function<Connection, ConnectionHandler> {
        private final AtomicInteger told = new AtomicInteger();
        private final CompletableFuture<IOException> failure = new CompletableFuture<>();
        private volatile @Nullable Connection connection;

        @Override
        public void failed(InetSocketAddress address, IOException cause) {
            told.incrementAndGet();
            failure.complete(cause);
        }

        @Override
        public ConnectionHandler apply(Connection made) {
            told.incrementAndGet();
            connection = made;
            return Connection::write;
        }

        IOException failure() {
            return Recording.soon(failure);
        }

        boolean failed() {
            return failure.isDone();
        }

        int timesTold() {
            return told.get();
        }

        void abort() {
            Connection made = connection;
            if (made != null) {
                made.abort();
            }
        }
    }
}
