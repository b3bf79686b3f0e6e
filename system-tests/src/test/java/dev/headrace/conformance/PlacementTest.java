package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.ListenerPlacement;
import dev.headrace.engine.Loop;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Server.Handlers;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Connections are spread over the loops in turn, and each stays on its loop for life. */
class PlacementTest {
    private static final int LOOPS = 3;
    private static final int CONNECTIONS = 12;

    /** Remembers every thread that it was called on. */
    private static final class Located extends Server.Echo {
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        private void here(Connection connection) {
            threads.add(Thread.currentThread());
            assertThat(connection.loop().inLoop()).isTrue();
        }

        @Override
        public void opened(Connection connection) {
            super.opened(connection);
            here(connection);
        }

        @Override
        public void received(Connection connection, Buffer data) {
            super.received(connection, data);
            here(connection);
        }

        @Override
        public void inputEnded(Connection connection) {
            super.inputEnded(connection);
            here(connection);
        }

        @Override
        public void closed(Connection connection, @Nullable Throwable cause) {
            here(connection);
            super.closed(connection, cause);
        }
    }

    @EveryBackend
    void connectionsAreSpreadInTurnAndStay(Setting setting) throws IOException {
        Handlers<Located> handlers = new Handlers<>(Located::new);
        EngineOptions options = setting.options().withLoops(LOOPS);
        try (Server server = Server.open(options, handlers)) {
            assertThat(server.group().loops()).hasSize(LOOPS);
            List<Loop> places = new ArrayList<>();
            List<Peer> peers = new ArrayList<>();
            List<Located> located = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                peers.add(server.connect());
                Located handler = handlers.next();
                located.add(handler);
                places.add(handler.connection().loop());
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                peers.get(i).exchange(Content.of(i, 10_000));
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                peers.get(i).finish();
                peers.get(i).expectEnd();
                peers.get(i).close();
                assertThat(located.get(i).closedCause()).isNull();
                assertThat(located.get(i).threads)
                        .as("threads of one connection")
                        .hasSize(1);
                assertThat(places.get(i)).as("the loop of connection " + i).isSameAs(places.get(i % LOOPS));
            }
            assertThat(Set.copyOf(places)).hasSize(LOOPS);
            assertThat(places.stream().map(Loop::counters).map(counters -> counters.get(Counter.CONNECTIONS_OPENED)))
                    .containsOnly((long) CONNECTIONS / LOOPS);
            assertThat(located.stream().map(handler -> handler.connection().id()))
                    .doesNotHaveDuplicates();
        }
    }

    @EveryBackend
    void threadsCarryTheirNames(Setting setting) throws IOException {
        try (Server server = Server.echo(setting.options().withLoops(2))) {
            List<String> names = server.group().loops().stream()
                    .map(loop -> Server.call(loop, () -> Thread.currentThread().getName()))
                    .toList();
            String prefix = server.group().options().threadName();
            assertThat(names).containsExactly(prefix + "-0", prefix + "-1");
            assertThat(server.group().backend()).isEqualTo(setting.backend());
            assertThat(server.group().capabilities().rungs()).isNotEmpty();
        }
    }

    /** The kernel spreads them, and no loop hands one to another. */
    @EveryBackend
    void eachLoopAcceptsItsOwn(Setting setting) throws IOException {
        int connections = 400;
        for (int loops = 2; loops <= 4; loops += 2) {
            Handlers<Located> handlers = new Handlers<>(Located::new);
            EngineOptions options = setting.options().withLoops(loops).withListeners(ListenerPlacement.PER_LOOP);
            try (Server server = Server.open(options, handlers)) {
                List<Peer> peers = new ArrayList<>();
                for (int i = 0; i < connections; i++) {
                    peers.add(server.connect());
                }
                for (Peer peer : peers) {
                    peer.exchange(Content.of(1, 100));
                    peer.close();
                }
                for (int i = 0; i < connections; i++) {
                    Located handler = handlers.next();
                    handler.closedAtNanos();
                    assertThat(handler.threads).hasSize(1);
                }
                assertThat(server.listener().accepted()).isEqualTo(connections);
                for (Loop loop : server.group().loops()) {
                    assertThat(loop.counters().get(Counter.CONNECTIONS_OPENED))
                            .as("connections of one of " + loops + " loops")
                            .isBetween(10L, connections - 10L);
                }
                server.listener().close();
                server.group().loops().forEach(loop -> Server.call(loop, () -> true));
                await().untilAsserted(() ->
                        assertThatThrownBy(() -> server.connect().close()).isInstanceOf(ConnectException.class));
            }
        }
    }

    /** Sharing is for the loops of one group: an address in use is refused all the same. */
    @EveryBackend
    void anAddressInUseIsRefused(Setting setting) throws IOException {
        EngineOptions options = setting.options().withLoops(2).withListeners(ListenerPlacement.PER_LOOP);
        try (Server server = Server.echo(options);
                Peer peer = server.connect()) {
            peer.exchange(Content.of(1, 1000));
            long before = Descriptors.count();
            assertThatThrownBy(() -> server.group().listen(server.address(), connection -> Connection::write))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("EADDRINUSE");
            Descriptors.awaitAtMost(before);
            peer.exchange(Content.of(1, 1000));
        }
    }
}
