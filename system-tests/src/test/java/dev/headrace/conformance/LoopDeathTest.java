package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.ListenerPlacement;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.Mishap;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A loop that dies of a mistake takes its own connections with it, and nothing else. */
@Fault(35)
class LoopDeathTest {
    private static final int LOOPS = 3;
    private static final int CONNECTIONS = 12;

    private static EngineOptions options(Setting setting, ListenerPlacement listeners) {
        return setting.options().withLoops(LOOPS).withListeners(listeners);
    }

    /** Peers and their handlers, by loop. */
    private static final class Scene implements AutoCloseable {
        private final LoopGroup group;
        private final Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        private final Listener listener;
        private final List<Peer> peers = new ArrayList<>();
        private final List<Recording> recordings = new ArrayList<>();

        Scene(EngineOptions options) throws IOException {
            group = LoopGroup.open(options);
            listener = group.listen(Server.anyPort(), handlers);
        }

        void connect(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                Peer peer = Peer.to(listener.address());
                peers.add(peer);
                peer.exchange(Content.of(i, 1000));
                recordings.add(handlers.next());
            }
        }

        Loop loopOf(int index) {
            return recordings.get(index).connection().loop();
        }

        void awaitDeath(Loop loop, Error cause) {
            await().untilAsserted(() -> assertThat(loop.failure()).isSameAs(cause));
            await().until(() -> !threadOf(loop).isAlive());
        }

        /** Those of the dead loop have ended, with the cause; the others go on. */
        void expectOnlyItsOwnToEnd(Loop dead, Error cause) throws IOException {
            for (int i = 0; i < peers.size(); i++) {
                if (loopOf(i) == dead) {
                    assertThat(recordings.get(i).closedCause()).isSameAs(cause);
                    peers.get(i).expectReset();
                } else {
                    peers.get(i).exchange(Content.of(i, 100_000));
                }
            }
        }

        private final List<Thread> threads = new ArrayList<>();

        void rememberThreads() {
            group.loops().forEach(loop -> threads.add(Server.call(loop, Thread::currentThread)));
        }

        private Thread threadOf(Loop loop) {
            return threads.get(group.loops().indexOf(loop));
        }

        @Override
        public void close() throws IOException {
            for (Peer peer : peers) {
                peer.close();
            }
            assertThat(group.shutdown(Duration.ofSeconds(2))).isTrue();
            assertThat(threads).noneMatch(Thread::isAlive);
        }
    }

    /** The listener's own loop and another one. */
    @EveryBackend
    void aSharedListenerMovesToAnotherLoop(Setting setting) throws IOException {
        for (int victim = 0; victim < 2; victim++) {
            long before = Descriptors.count();
            Error cause = new AssertionError("planted");
            try (Scene scene = new Scene(options(setting, ListenerPlacement.SHARED))) {
                scene.rememberThreads();
                scene.connect(CONNECTIONS);
                Loop dead = scene.group.loops().get(victim);
                Mishap.befall(dead, cause);
                scene.awaitDeath(dead, cause);
                scene.expectOnlyItsOwnToEnd(dead, cause);
                scene.connect(CONNECTIONS);
                for (int i = CONNECTIONS; i < 2 * CONNECTIONS; i++) {
                    assertThat(scene.loopOf(i)).isNotSameAs(dead);
                }
                assertThat(scene.listener.accepted()).isEqualTo(2 * CONNECTIONS);
                assertThat(scene.group.loops()).hasSize(LOOPS).contains(dead);
                assertThatThrownBy(() -> dead.execute(() -> {}))
                        .isInstanceOf(RejectedExecutionException.class)
                        .hasMessageContaining("died")
                        .hasCause(cause);
                scene.listener.close();
                await().untilAsserted(() -> assertThatThrownBy(
                                () -> Peer.to(scene.listener.address()).close())
                        .isInstanceOf(ConnectException.class));
            }
            if (victim > 0) {
                // The first round opens what the JDK keeps.
                Descriptors.awaitAtMost(before);
            }
        }
    }

    @EveryBackend
    void itsOwnListenerIsDropped(Setting setting) throws IOException {
        Error cause = new AssertionError("planted");
        try (Scene scene = new Scene(options(setting, ListenerPlacement.PER_LOOP))) {
            scene.rememberThreads();
            scene.connect(CONNECTIONS);
            Loop dead = scene.loopOf(0);
            Mishap.befall(dead, cause);
            scene.awaitDeath(dead, cause);
            scene.expectOnlyItsOwnToEnd(dead, cause);
            scene.connect(4 * CONNECTIONS);
            for (int i = CONNECTIONS; i < 5 * CONNECTIONS; i++) {
                assertThat(scene.loopOf(i)).isNotSameAs(dead);
            }
        }
    }

    /** The mistake repeats itself in every turn, so that nothing can be ended in order. */
    @EveryBackend
    void byForceWhenThereIsNoEndInOrder(Setting setting) throws IOException {
        Error cause = new AssertionError("planted");
        long[] before = {0};
        for (int round = 0; round < 2; round++) {
            before[0] = Descriptors.count();
            try (Scene scene = new Scene(options(setting, ListenerPlacement.SHARED))) {
                scene.rememberThreads();
                scene.connect(CONNECTIONS);
                Loop dead = scene.group.loops().getFirst();
                CompletableFuture<IOException> failure = new CompletableFuture<>();
                try (SilentAddress silent = SilentAddress.open()) {
                    dead.execute(() -> dead.connect(
                            silent.address(), connection -> Connection::write, (to, why) -> failure.complete(why)));
                    Mishap.befallAgainAndAgain(dead, cause, 100);
                    scene.awaitDeath(dead, cause);
                }
                assertThat(Recording.soon(failure)).hasMessageContaining("died");
                scene.expectOnlyItsOwnToEnd(dead, cause);
                scene.connect(CONNECTIONS);
                for (int i = CONNECTIONS; i < 2 * CONNECTIONS; i++) {
                    assertThat(scene.loopOf(i)).isNotSameAs(dead);
                }
            }
        }
        Descriptors.awaitAtMost(before[0]);
    }

    /** A handler's failure, an error of the virtual machine included, is its connection's matter. */
    @EveryBackend
    void noHandlerKillsALoop(Setting setting) throws IOException {
        try (Server server = Server.open(setting, connection -> (c, data) -> {
                    throw new StackOverflowError("planted");
                });
                Peer peer = server.connect()) {
            peer.send("x");
            peer.expectReset();
            assertThat(server.loop().failure()).isNull();
            assertThat(server.count(Counter.HANDLER_FAILURES)).isEqualTo(1);
        }
    }

    @EveryBackend
    void whenTheLastHasDiedTheGroupSaysSo(Setting setting) throws IOException {
        try (Scene scene = new Scene(options(setting, ListenerPlacement.SHARED))) {
            scene.rememberThreads();
            scene.connect(CONNECTIONS);
            AtomicInteger number = new AtomicInteger();
            for (Loop loop : scene.group.loops()) {
                Error cause = new AssertionError("planted " + number.incrementAndGet());
                Mishap.befall(loop, cause);
                scene.awaitDeath(loop, cause);
            }
            for (Recording recording : scene.recordings) {
                assertThat(recording.closedCause()).hasMessageContaining("planted");
            }
            assertThatThrownBy(() -> Peer.to(scene.listener.address()).close()).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> scene.group.listen(Server.anyPort(), scene.handlers))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("every loop of the group has died")
                    .hasMessageContaining("planted 3");
            assertThatThrownBy(
                            () -> scene.group.connect(scene.listener.address(), scene.handlers, (address, cause) -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("planted 3");
        }
    }

    /** Attempts in flight are told; new ones go elsewhere. */
    @EveryBackend
    void attemptsToConnectFail(Setting setting) throws IOException {
        Error cause = new AssertionError("planted");
        try (SilentAddress silent = SilentAddress.open();
                Scene scene = new Scene(options(setting, ListenerPlacement.SHARED))) {
            scene.rememberThreads();
            Loop dead = scene.group.loops().getLast();
            CompletableFuture<IOException> failure = new CompletableFuture<>();
            dead.execute(() -> dead.connect(
                    silent.address(), connection -> Connection::write, (to, why) -> failure.complete(why)));
            Mishap.befall(dead, cause);
            assertThat(Recording.soon(failure)).hasMessageContaining("the loop has died");
            scene.awaitDeath(dead, cause);
            Handlers<Recording> clients = new Handlers<>(Recording::new);
            for (int i = 0; i < 2 * LOOPS; i++) {
                scene.group.connect(scene.listener.address(), clients, (to, why) -> {
                    throw new AssertionError(why);
                });
                Recording client = clients.next();
                assertThat(client.connection().loop()).isNotSameAs(dead);
                client.connection().loop().execute(client.connection()::close);
                assertThat(client.closedCause()).isNull();
            }
        }
    }
}
