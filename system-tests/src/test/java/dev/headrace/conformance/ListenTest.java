package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.engine.Connection;
import dev.headrace.engine.Listener;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Listening: which addresses, what is said when it cannot be, and how it ends. */
class ListenTest {
    @EveryBackend(
            masks = {},
            because = "the patience with a port that may come free takes its time, and no rung has a part in it")
    void aPortInUseIsNamed(Setting setting) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Server server = Server.echo(setting)) {
            InetSocketAddress address = (InetSocketAddress) taken.getLocalSocketAddress();
            long before = Descriptors.count();
            assertThatThrownBy(() -> server.group().listen(address, connection -> Connection::write))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining(address.getHostString() + ":" + address.getPort())
                    .hasMessageContaining("in use");
            assertThat(Descriptors.count()).isEqualTo(before);
        }
    }

    @EveryBackend
    void anAddressThatIsNotOursIsNamed(Setting setting) throws IOException {
        InetSocketAddress address = new InetSocketAddress("192.0.2.1", 0);
        try (Server server = Server.echo(setting)) {
            assertThatThrownBy(() -> server.group().listen(address, connection -> Connection::write))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("192.0.2.1");
        }
    }

    @EveryBackend
    void aHostThatCannotBeResolvedIsNamed(Setting setting) throws IOException {
        InetSocketAddress address = InetSocketAddress.createUnresolved("no-such-host.invalid", 80);
        try (Server server = Server.echo(setting)) {
            assertThatThrownBy(() -> server.group().listen(address, connection -> Connection::write))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessageContaining("no-such-host.invalid");
        }
    }

    @EveryBackend
    void aClosedListenerAcceptsNoMoreButItsConnectionsGoOn(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            handlers.next().connection();
            assertThat(server.listener().accepted()).isEqualTo(1);
            server.listener().close();
            server.listener().close();
            await().untilAsserted(() ->
                    assertThatThrownBy(() -> server.connect().close()).isInstanceOf(ConnectException.class));
            peer.exchange(Content.of(1, 100_000));
            // The address is free for another.
            try (Listener again = server.group().listen(server.address(), handlers);
                    Peer next = Peer.to(again.address())) {
                next.exchange(Content.of(2, 1_000));
            }
        }
    }

    @EveryBackend
    void severalListenersOnOneGroup(Setting setting) throws IOException {
        Handlers<Recording> other = new Handlers<>(Server.Echo::new);
        try (Server server = Server.echo(setting);
                Listener second = server.group().listen(Server.anyPort(), other);
                Peer first = server.connect();
                Peer next = Peer.to(second.address())) {
            first.exchange(Content.of(1, 1_000));
            next.exchange(Content.of(2, 1_000));
            assertThat(other.next().receivedLength()).isEqualTo(1_000);
            assertThat(second.accepted()).isEqualTo(1);
            assertThat(server.listener().accepted()).isEqualTo(1);
        }
    }

    @EveryBackend
    void addressesOfAConnection(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            assertThat(server.call(connection::remoteAddress))
                    .isEqualTo(peer.socket().getLocalSocketAddress());
            assertThat(server.call(connection::localAddress)).isEqualTo(server.address());
        }
    }

    @EveryBackend
    void overIpv6(Setting setting) throws IOException {
        assumeTrue(
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .anyMatch(address -> address.getHostAddress().startsWith("0:0:0:0:0:0:0:1")),
                "this machine has no IPv6 loopback address");
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.echo(setting);
                Listener listener = server.group().listen(new InetSocketAddress("::1", 0), handlers);
                Peer peer = Peer.to(listener.address())) {
            peer.exchange(Content.of(1, 10_000));
            Connection connection = handlers.next().connection();
            assertThat(server.call(connection::remoteAddress))
                    .isEqualTo(peer.socket().getLocalSocketAddress());
            server.group().connect(listener.address(), handlers, (address, cause) -> {
                throw new AssertionError(cause);
            });
            handlers.next().connection();
        }
    }
}
