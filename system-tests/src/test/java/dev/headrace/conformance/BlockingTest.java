package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.Mishap;
import dev.headrace.engine.blocking.BlockingConnection;
import dev.headrace.engine.blocking.BlockingServer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.Descriptors;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import dev.headrace.testkit.SilentAddress;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that wait for bytes, over loops that do not. */
class BlockingTest {
    private static void echo(BlockingConnection connection) throws IOException {
        byte[] bytes = new byte[8 << 10];
        for (int count = connection.read(bytes); count >= 0; count = connection.read(bytes)) {
            connection.write(bytes, 0, count);
        }
    }

    /** What a thread of its own came to. */
    private static CompletableFuture<Void> meanwhile(Thread.Builder builder, Peer.Step step) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        Thread thread = builder.unstarted(() -> {
            try {
                step.run();
                outcome.complete(null);
            } catch (Throwable thrown) {
                outcome.completeExceptionally(thrown);
            }
        });
        thread.start();
        return outcome;
    }

    private static CompletableFuture<Void> meanwhile(Peer.Step step) {
        return meanwhile(Thread.ofVirtual(), step);
    }

    private static byte[] readFully(BlockingConnection connection, int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int done = 0; done < length; ) {
            int count = connection.read(bytes, done, length - done);
            assertThat(count).isPositive();
            done += count;
        }
        return bytes;
    }

    private static Throwable failure(CompletableFuture<Void> outcome) {
        return Recording.soon(outcome.handle((nothing, thrown) -> thrown));
    }

    /** A connection on each side: the client of the engine, the peer a plain socket. */
    private record Pair(LoopGroup group, BlockingConnection connection, Peer peer) implements AutoCloseable {
        static Pair open(EngineOptions options) throws IOException {
            LoopGroup group = LoopGroup.open(options);
            try (ServerSocket listener =
                    new ServerSocket(0, 10, Server.anyPort().getAddress())) {
                BlockingConnection connection =
                        BlockingConnection.connect(group, (InetSocketAddress) listener.getLocalSocketAddress());
                return new Pair(group, connection, Peer.of(listener.accept()));
            } catch (IOException e) {
                group.close();
                throw e;
            }
        }

        static Pair open(Setting setting) throws IOException {
            return open(setting.options());
        }

        Loop loop() {
            return connection.connection().loop();
        }

        @Override
        public void close() throws IOException {
            connection.close();
            peer.close();
            group.shutdown(Duration.ofSeconds(2));
            assertThat(loop().counters().get(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void tenMegabytesThereAndBack(Setting setting) throws IOException {
        byte[] content = Content.of(1, 10 << 20);
        try (LoopGroup group = LoopGroup.open(setting.options().withLoops(2));
                BlockingServer server = BlockingServer.open(group, Server.anyPort(), BlockingTest::echo);
                BlockingConnection client = BlockingConnection.connect(group, server.address())) {
            assertThat(client.remoteAddress()).isEqualTo(server.address());
            CompletableFuture<Void> sent = meanwhile(() -> {
                client.write(content);
                client.shutdownOutput();
            });
            Content.requireSame(content, readFully(client, content.length));
            assertThat(client.read(new byte[1])).isEqualTo(-1);
            Recording.soon(sent);
            await().until(() -> server.connections() == 0);
        }
    }

    @EveryBackend
    void aThousandThreads(Setting setting) throws IOException {
        // Each has both its ends in this process, and select takes no descriptor beyond 1023.
        int threads = setting.backend() == Backend.SELECT ? 300 : 1000;
        try (LoopGroup group = LoopGroup.open(setting.options().withLoops(2));
                BlockingServer server = BlockingServer.open(group, Server.anyPort(), BlockingTest::echo)) {
            List<CompletableFuture<Void>> outcomes = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                byte[] message = Content.of(i, 500);
                outcomes.add(meanwhile(() -> {
                    try (BlockingConnection client = BlockingConnection.connect(group, server.address())) {
                        for (int round = 0; round < 10; round++) {
                            client.write(message);
                            Content.requireSame(message, readFully(client, message.length));
                        }
                    }
                }));
            }
            outcomes.forEach(Recording::soon);
            await().until(() -> server.connections() == 0);
            for (Loop loop : group.loops()) {
                assertThat(loop.counters().get(Counter.HANDLER_FAILURES)).isZero();
            }
        }
    }

    /** Both ends write much and read meanwhile: neither may stop reading because its own output is stuck. */
    @EveryBackend
    void bothEndsWriteAtOnce(Setting setting) throws IOException {
        byte[] content = Content.of(1, 8 << 20);
        try (LoopGroup group = LoopGroup.open(setting.options().withOutputBuffers(4096, 1024));
                BlockingServer server = BlockingServer.open(group, Server.anyPort(), connection -> {
                    CompletableFuture<Void> sent = meanwhile(() -> connection.write(content));
                    Content.requireSame(content, readFully(connection, content.length));
                    Recording.soon(sent);
                });
                BlockingConnection client = BlockingConnection.connect(group, server.address())) {
            CompletableFuture<Void> sent = meanwhile(() -> client.write(content));
            client.readTimeout(Duration.ofSeconds(15));
            Content.requireSame(content, readFully(client, content.length));
            Recording.soon(sent);
        }
    }

    /** Nobody reads: the peer is stopped after a bounded number of bytes, and none is lost. */
    @EveryBackend
    void aSlowReaderSlowsItsPeerDown(Setting setting) throws IOException {
        byte[] content = Content.of(1, 32 << 20);
        try (Pair pair = Pair.open(setting.options()
                .withSocketOptions(setting.options().socketOptions().withKernelBuffers(64 << 10, 64 << 10)))) {
            pair.peer().socket().setSendBufferSize(64 << 10);
            CompletableFuture<Void> sent = pair.peer().sendMeanwhile(content);
            AtomicLong before = new AtomicLong(-1);
            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                long received = pair.loop().counters().get(Counter.BYTES_RECEIVED);
                return received > 0 && before.getAndSet(received) == received;
            });
            assertThat(sent).isNotDone();
            assertThat(pair.loop().counters().get(Counter.BYTES_RECEIVED)).isLessThan(2 << 20);
            Content.requireSame(content, readFully(pair.connection(), content.length));
            Recording.soon(sent);
        }
    }

    /** The peer does not read: the writer waits, and its time-out tells how much was taken. */
    @EveryBackend
    void aSlowPeerSlowsItsWriterDown(Setting setting) throws IOException {
        byte[] content = Content.of(1, 64 << 20);
        try (Pair pair = Pair.open(setting)) {
            pair.connection().writeTimeout(Duration.ofMillis(300));
            CompletableFuture<Integer> taken = new CompletableFuture<>();
            CompletableFuture<Void> written = meanwhile(() -> {
                try {
                    pair.connection().write(content);
                } catch (SocketTimeoutException e) {
                    taken.complete(e.bytesTransferred);
                }
            });
            Recording.soon(written);
            int count = Recording.soon(taken);
            assertThat(count).isBetween(1, content.length - 1);
            byte[] arrived = pair.peer().receive(count);
            Content.requireSame(Arrays.copyOf(content, count), arrived);
            pair.connection().write("on".getBytes(StandardCharsets.US_ASCII));
            pair.peer().expect("on");
        }
    }

    @EveryBackend
    void eachDirectionEndsByItself(Setting setting) throws IOException {
        try (Pair pair = Pair.open(setting)) {
            pair.peer().send("last");
            pair.peer().finish();
            assertThat(readFully(pair.connection(), 4)).asString().isEqualTo("last");
            assertThat(pair.connection().read(new byte[10])).isEqualTo(-1);
            assertThat(pair.connection().read(new byte[10])).isEqualTo(-1);
            byte[] content = Content.of(1, 1_000_000);
            CompletableFuture<Void> sent = meanwhile(() -> {
                pair.connection().write(content);
                pair.connection().shutdownOutput();
            });
            pair.peer().expect(content);
            pair.peer().expectEnd();
            Recording.soon(sent);
            assertThatThrownBy(() -> pair.connection().write(new byte[1]))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("shutdownOutput");
        }
    }

    @EveryBackend
    void aResetIsTold(Setting setting) throws IOException {
        try (Pair pair = Pair.open(setting)) {
            CompletableFuture<Void> reader = meanwhile(() -> pair.connection().read(new byte[10]));
            LockSupport.parkNanos(20_000_000L);
            pair.peer().reset();
            assertThat(failure(reader)).isInstanceOf(SocketException.class).hasMessageContaining("ECONNRESET");
            assertThatThrownBy(() -> pair.connection().write(new byte[1]))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("ECONNRESET");
        }
    }

    @EveryBackend
    void anInterruptedReadLeavesTheConnectionUsable(Setting setting) throws IOException {
        try (Pair pair = Pair.open(setting)) {
            LinkedBlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
            CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
            CompletableFuture<Void> reader = meanwhile(() -> {
                threads.add(Thread.currentThread());
                try {
                    pair.connection().read(new byte[10]);
                } finally {
                    stillInterrupted.complete(Thread.currentThread().isInterrupted());
                }
            });
            await().until(() -> !threads.isEmpty());
            LockSupport.parkNanos(20_000_000L);
            threads.element().interrupt();
            assertThat(failure(reader)).isInstanceOf(InterruptedIOException.class);
            assertThat(Recording.soon(stillInterrupted)).isTrue();
            pair.peer().send("here");
            assertThat(readFully(pair.connection(), 4)).asString().isEqualTo("here");
        }
    }

    @EveryBackend
    void aReadThatWaitsTooLong(Setting setting) throws IOException {
        try (Pair pair = Pair.open(setting)) {
            pair.connection().readTimeout(Duration.ofMillis(50));
            assertThatThrownBy(() -> pair.connection().read(new byte[10])).isInstanceOf(SocketTimeoutException.class);
            pair.connection().readTimeout(Duration.ZERO);
            pair.peer().send("late");
            assertThat(readFully(pair.connection(), 4)).asString().isEqualTo("late");
        }
    }

    @EveryBackend
    void closingWakesWhoeverWaits(Setting setting) throws IOException {
        try (Pair pair = Pair.open(setting)) {
            CompletableFuture<Void> reader = meanwhile(() -> pair.connection().read(new byte[10]));
            LockSupport.parkNanos(20_000_000L);
            pair.connection().write(Content.of(1, 200_000));
            pair.connection().close();
            pair.connection().close();
            assertThat(failure(reader)).isInstanceOf(SocketException.class).hasMessageContaining("closed");
            assertThatThrownBy(() -> pair.connection().write(new byte[1])).isInstanceOf(SocketException.class);
            pair.peer().expect(Content.of(1, 200_000));
            pair.peer().expectEnd();
        }
    }

    /** No thread waits for a loop that has ended, in order or not. */
    @EveryBackend
    void theEndOfTheLoopsWakesWhoeverWaits(Setting setting) throws IOException {
        for (boolean dies : new boolean[] {false, true}) {
            try (Pair pair = Pair.open(setting.options().withLinger(Duration.ofMillis(200)))) {
                CompletableFuture<Void> reader =
                        meanwhile(() -> pair.connection().read(new byte[10]));
                CompletableFuture<Void> writer =
                        meanwhile(() -> pair.connection().write(new byte[64 << 20]));
                LockSupport.parkNanos(50_000_000L);
                if (dies) {
                    Mishap.befall(pair.loop(), new AssertionError("planted"));
                } else {
                    pair.group().shutdown(Duration.ofMillis(300));
                }
                assertThat(failure(reader)).isInstanceOf(SocketException.class);
                assertThat(failure(writer)).isInstanceOf(SocketException.class);
                assertThatThrownBy(() -> pair.connection().read(new byte[1])).isInstanceOf(SocketException.class);
            }
        }
    }

    @EveryBackend
    void aConnectThatFailsOrIsInterrupted(Setting setting) throws IOException {
        try (LoopGroup group = LoopGroup.open(setting.options());
                SilentAddress silent = SilentAddress.open()) {
            long before = Descriptors.count();
            InetSocketAddress nobody;
            try (ServerSocket socket = new ServerSocket(0, 1, Server.anyPort().getAddress())) {
                nobody = (InetSocketAddress) socket.getLocalSocketAddress();
            }
            assertThatThrownBy(() -> BlockingConnection.connect(group, nobody)).isInstanceOf(ConnectException.class);
            LinkedBlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
            CompletableFuture<Void> connecting = meanwhile(() -> {
                threads.add(Thread.currentThread());
                BlockingConnection.connect(group, silent.address()).close();
            });
            await().until(() -> !threads.isEmpty());
            LockSupport.parkNanos(50_000_000L);
            threads.element().interrupt();
            assertThat(failure(connecting)).isInstanceOf(InterruptedIOException.class);
            Descriptors.awaitAtMost(before);
        }
    }

    /** A service that throws has its connection reset; the server's end closes the rest. */
    @EveryBackend
    void servicesEndTheirConnections(Setting setting) throws IOException {
        try (LoopGroup group = LoopGroup.open(setting.options())) {
            BlockingServer server = BlockingServer.open(group, Server.anyPort(), connection -> {
                byte[] first = new byte[1];
                int count = connection.read(first);
                if (count > 0 && first[0] == '!') {
                    throw new IOException("planted");
                }
                connection.write(first, 0, Math.max(0, count));
                connection.read(first);
            });
            try (Peer bad = Peer.to(server.address());
                    Peer good = Peer.to(server.address())) {
                bad.send("!");
                bad.expectReset();
                good.send("a");
                good.expect("a");
                assertThat(server.connections()).isEqualTo(1);
                server.close();
                good.expectEnd();
                await().until(() -> server.connections() == 0);
            }
        }
    }

    @EveryBackend
    void aLoopMustNotWait(Setting setting) throws IOException {
        try (Pair pair = Pair.open(setting)) {
            Server.call(pair.loop(), () -> {
                assertThatThrownBy(() -> pair.connection().read(new byte[1]))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("must not wait");
                assertThatThrownBy(() -> pair.connection().write(new byte[1]))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> BlockingConnection.connect(pair.group(), Server.anyPort()))
                        .isInstanceOf(IllegalStateException.class);
                return true;
            });
            assertThatThrownBy(() -> pair.connection().read(new byte[5], 3, 3))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> pair.connection().write(new byte[5], 0, -1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> pair.connection().readTimeout(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(pair.connection().read(new byte[0])).isZero();
        }
    }
}
