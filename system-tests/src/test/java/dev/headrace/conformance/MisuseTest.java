package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.ConnectFailure;
import dev.headrace.engine.Connection;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.Timer;
import dev.headrace.engine.blocking.BlockingServer;
import dev.headrace.engine.buffer.Buffer;
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
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The caller's mistakes are told to the caller, in words, and hurt nobody else. */
class MisuseTest {
    @Fault(37)
    @EveryBackend
    void callsOnAnotherThread(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            Map<String, ThrowingCallable> calls = Map.of(
                    "write", () -> connection.write(new byte[1], 0, 1),
                    "close", connection::close,
                    "abort", connection::abort,
                    "shutdownOutput", connection::shutdownOutput,
                    "pauseReading", connection::pauseReading,
                    "resumeReading", connection::resumeReading,
                    "remoteAddress", connection::remoteAddress,
                    "localAddress", connection::localAddress);
            calls.forEach((name, call) -> assertThatThrownBy(call)
                    .as(name)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName())
                    .hasMessageContaining("loop.execute"));
            peer.exchange(Content.of(1, 1000));
        }
    }

    /** What changes or reads a loop's plain state from elsewhere would corrupt it, or answer anything, without a word. */
    @EveryBackend
    void stateIsNotForOtherThreads(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            Timer timer = server.call(() -> server.loop().schedule(Long.MAX_VALUE, () -> {}));
            Map<String, ThrowingCallable> calls = Map.of(
                    "writable", connection::writable,
                    "outputPendingBytes", connection::outputPendingBytes,
                    "attachment", connection::attachment,
                    "attach", () -> connection.attach("not mine"),
                    "Timer.pending", timer::pending,
                    "Timer.cancel", timer::cancel);
            calls.forEach((name, call) -> assertThatThrownBy(call)
                    .as(name)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName())
                    .hasMessageContaining("loop.execute"));
            server.run(() -> {
                assertThat(connection.attachment()).isNull();
                assertThat(timer.pending()).isTrue();
                timer.cancel();
                assertThat(timer.pending()).isFalse();
            });
            peer.exchange(Content.of(1, 1000));
        }
    }

    @EveryBackend
    void writesOfNothing(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Arena arena = Arena.ofShared();
                Peer peer = server.connect()) {
            Recording handler = handlers.next();
            Connection connection = handler.connection();
            assertThat((int) server.call(() -> connection.write(new byte[0], 0, 0)))
                    .isZero();
            assertThat((int) server.call(() -> connection.write(new byte[5], 5, 0)))
                    .isZero();
            assertThat((int)
                            server.call(() -> connection.write(arena.allocate(8).asSlice(0, 0))))
                    .isZero();
            assertThat(server.call(connection::outputPendingBytes)).isZero();
            peer.expectSilence(50);
            server.run(() -> connection.write(new byte[] {'o', 'k'}, 0, 2));
            peer.expect("ok");
            assertThat(handler.drainedCount()).isZero();
        }
    }

    @EveryBackend
    void writesOfWhatIsNotThere(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            server.run(() -> {
                assertThatThrownBy(() -> connection.write(new byte[5], 3, 3))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> connection.write(new byte[5], -1, 3))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> connection.write(new byte[5], 0, -1))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> connection.write(MemorySegment.ofArray(new byte[5])))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("heap");
            });
            server.run(() -> connection.write(new byte[] {'o', 'k'}, 0, 2));
            peer.expect("ok");
        }
    }

    /** Memory that its arena has freed must not be read. */
    @EveryBackend
    @SuppressWarnings("MustBeClosed") // closed before its memory is used: that is the mistake
    void writesOfMemoryThatWasFreed(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(100);
            arena.close();
            server.run(() ->
                    assertThatThrownBy(() -> connection.write(segment)).isInstanceOf(IllegalStateException.class));
            server.run(() -> connection.write(new byte[] {'o', 'k'}, 0, 2));
            peer.expect("ok");
        }
    }

    @EveryBackend
    void segmentsAreCopied(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        byte[] content = Content.of(1, 50_000);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            try (Arena arena = Arena.ofShared()) {
                MemorySegment segment = arena.allocate(content.length);
                MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 0, content.length);
                server.run(() -> {
                    assertThat(connection.write(segment)).isEqualTo(content.length);
                    segment.fill((byte) 0);
                });
            }
            peer.expect(content);
        }
    }

    @EveryBackend
    void useAfterTheEnd(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers)) {
            Connection connection;
            try (Peer peer = server.connect()) {
                Recording handler = handlers.next();
                connection = handler.connection();
                server.run(connection::close);
                peer.expectEnd();
                peer.finish();
                handler.closedCause();
            }
            // Its descriptor's number belongs to others now.
            List<Peer> others = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                others.add(server.connect());
                handlers.next().connection();
            }
            server.run(() -> {
                assertThatThrownBy(() -> connection.write(new byte[1], 0, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("close");
                connection.close();
                connection.abort();
                connection.shutdownOutput();
                connection.pauseReading();
                connection.resumeReading();
                assertThat(connection.open()).isFalse();
                assertThat(connection.writable()).isFalse();
                assertThat(connection.outputPendingBytes()).isZero();
            });
            assertThatThrownBy(() -> server.call(connection::remoteAddress))
                    .as("the address of a connection that is gone")
                    .isInstanceOf(AssertionError.class);
            for (Peer other : others) {
                other.send("still there");
                other.close();
            }
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void buffersTellTheirMisuse(Setting setting) throws IOException {
        CompletableFuture<Buffer> kept = new CompletableFuture<>();
        CompletableFuture<Void> checked = new CompletableFuture<>();
        Handlers<Recording> handlers = new Handlers<>(() -> new Recording() {
            @Override
            public void received(Connection connection, Buffer data) {
                super.received(connection, data);
                kept.complete(data);
                assertThat(data.length()).isEqualTo(10);
                assertThat(data.get(0)).isEqualTo((byte) '0');
                assertThat(data.get(9)).isEqualTo((byte) '9');
                assertThatThrownBy(() -> data.get(10)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> data.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> data.getInt(7)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> data.getLong(3)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> data.copyTo(5, new byte[10], 0, 6))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> data.copyTo(0, new byte[4], 0, 5))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThat(data.segment().byteSize()).isEqualTo(10);
                checked.complete(null);
            }
        });
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            peer.send("0123456789");
            Recording.soon(checked);
            server.run(() -> {
                Buffer buffer = kept.join();
                assertThatThrownBy(buffer::retain)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("retain it during received()");
                assertThatThrownBy(buffer::release)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("more often than");
            });
            peer.send("0123456789");
            peer.finish();
            assertThat(handlers.next().inputEndedAtNanos()).isPositive();
        }
    }

    @EveryBackend
    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // null is the mistake
    void whatIsMissingIsNamed(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Server.Echo::new);
        ConnectFailure unexpected = (address, cause) -> {
            throw new AssertionError(cause);
        };
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            LoopGroup group = server.group();
            InetSocketAddress address = server.address();
            Map<String, ThrowingCallable> calls = Map.of(
                    "handlers", () -> group.listen(Server.anyPort(), null),
                    "address", () -> group.listen(null, handlers),
                    " handlers", () -> group.connect(address, null, unexpected),
                    " address", () -> group.connect(null, handlers, unexpected),
                    "failure", () -> group.connect(address, handlers, null),
                    "task", () -> server.loop().execute(null),
                    "service", () -> BlockingServer.open(group, address, null));
            long before = Descriptors.count();
            calls.forEach((name, call) -> assertThatThrownBy(call)
                    .as(name)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage(name.strip()));
            assertThat(Descriptors.count()).isEqualTo(before);
            server.run(() -> {
                assertThatThrownBy(() -> connection.setOption(null, true)).hasMessage("option");
                assertThatThrownBy(() -> connection.setOption(StandardSocketOptions.TCP_NODELAY, null))
                        .hasMessage("value");
                assertThatThrownBy(() -> connection.option(null)).hasMessage("option");
                assertThatThrownBy(() -> server.loop().schedule(1, null)).hasMessage("task");
                assertThatThrownBy(() -> server.loop().connect(address, null, unexpected))
                        .hasMessage("handlers");
            });
            peer.exchange(Content.of(1, 1000));
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    /** A function of handlers that has none for a connection costs that connection alone. */
    @EveryBackend
    @SuppressWarnings("NullAway") // null is the mistake
    void aFunctionWithoutAHandler(Setting setting) throws IOException {
        try (Server server = Server.open(setting, connection -> null)) {
            Peer.expectResetBy(server.address());
            await().until(() -> server.count(Counter.HANDLER_FAILURES) == 1);
            assertThat(server.loop().failure()).isNull();
        }
    }

    @EveryBackend
    void aListenerThatIsClosedTwice(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            peer.exchange(Content.of(1, 1000));
            server.listener().close();
            server.listener().close();
            assertThat(server.listener().address()).isEqualTo(server.address());
            peer.exchange(Content.of(1, 1000));
            assertThat(server.listener().accepted()).isEqualTo(1);
        }
    }

    @EveryBackend
    void attachmentsBelongToTheUser(Setting setting) throws IOException {
        Handlers<Recording> handlers = new Handlers<>(Recording::new);
        try (Server server = Server.open(setting, handlers);
                Peer peer = server.connect()) {
            Connection connection = handlers.next().connection();
            server.run(() -> {
                assertThat(connection.attachment()).isNull();
                connection.attach("mine");
                assertThat(connection.attachment()).isEqualTo("mine");
                connection.attach(null);
                assertThat(connection.attachment()).isNull();
            });
            assertThat(peer.socket().isConnected()).isTrue();
            InetSocketAddress address = server.call(connection::localAddress);
            assertThat(address.getPort()).isEqualTo(server.address().getPort());
        }
    }
}
