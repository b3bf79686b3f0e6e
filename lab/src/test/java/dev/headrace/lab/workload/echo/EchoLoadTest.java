package dev.headrace.lab.workload.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.lab.workload.ErrorKind;
import dev.headrace.lab.workload.LoadShape;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EchoLoadTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private LoopGroup group;
    private Loop loop;

    @BeforeEach
    void openLoop() throws Exception {
        group = LoopGroup.open(EngineOptions.of(Backend.auto().backend()).withThreadName("load"));
        loop = group.loops().getFirst();
    }

    @AfterEach
    void closeLoop() {
        group.shutdown(Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "7, 1, 1", "100, 20, 16", "4096, 5, 3", "300000, 3, 2"})
    void countsAndTimesWhatAServerReturns(int bytes, int connections, int depth) throws Exception {
        try (LoopGroup servers = LoopGroup.open(EngineOptions.of(Backend.auto().backend()));
                Listener listener = EchoServer.listen(servers, new InetSocketAddress("127.0.0.1", 0))) {
            EchoLoad load = opened(listener.address(), new LoadShape(connections, bytes, depth));
            runFor(load, 300);
            assertThat(load.errors().toString()).isEmpty();
            assertThat(load.messages()).isGreaterThan((long) connections * depth);
            assertThat(load.latency().getTotalCount()).isEqualTo(load.messages());
            assertThat(onLoop(load::openConnections)).isEqualTo(connections);
        }
    }

    @Test
    void startsAndStopsWithoutReconnecting() throws Exception {
        try (LoopGroup servers = LoopGroup.open(EngineOptions.of(Backend.auto().backend()));
                Listener listener = EchoServer.listen(servers, new InetSocketAddress("127.0.0.1", 0))) {
            EchoLoad load = opened(listener.address(), new LoadShape(10, 100, 2));
            runFor(load, 100);
            long first = load.messages();
            Thread.sleep(100);
            assertThat(load.messages()).as("nothing is sent between windows").isEqualTo(first);
            onLoop(() -> {
                load.resetLatency();
                return true;
            });
            runFor(load, 100);
            assertThat(load.messages()).isGreaterThan(first);
            assertThat(load.latency().getTotalCount()).isEqualTo(load.messages() - first);
            assertThat(listener.accepted()).isEqualTo(10);
        }
    }

    @Test
    void sendsOnTheActiveConnectionsAlone() throws Exception {
        Set<Integer> active = ConcurrentHashMap.newKeySet();
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> {
            for (int b = in.read(); b >= 0; b = in.read()) {
                active.add(socket.getPort());
                out.write(b);
            }
        })) {
            EchoLoad load = opened(server.address(), new LoadShape(10, 20, 1, 4));
            runFor(load, 200);
            runFor(load, 200);
            assertThat(load.errors().toString()).isEmpty();
            assertThat(load.messages()).isGreaterThan(4);
            assertThat(active).hasSize(4);
            assertThat(onLoop(load::openConnections)).isEqualTo(10);
        }
    }

    @Test
    void putsAnswersInPiecesTogether() throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> {
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b); // a segment for every byte
            }
        })) {
            EchoLoad load = opened(server.address(), new LoadShape(2, 37, 3));
            runFor(load, 200);
            assertThat(load.errors().toString()).isEmpty();
            assertThat(load.messages()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "5", "8", "63", "98", "99"})
    void findsOneWrongByte(int position) throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> {
            byte[] message = new byte[100];
            for (int i = 0; in.readNBytes(message, 0, message.length) == message.length; i++) {
                if (i == 3) {
                    message[position] ^= 0x10;
                }
                out.write(message);
            }
        })) {
            EchoLoad load = opened(server.address(), new LoadShape(1, 100, 1));
            runFor(load, 300);
            assertThat(load.errors().count(ErrorKind.CONTENT)).isEqualTo(1);
            assertThat(load.errors().total()).isEqualTo(1);
            assertThat(load.messages()).isEqualTo(3);
            assertThat(load.errors().firstOf(ErrorKind.CONTENT)).contains("message 3 of connection 0");
        }
    }

    @Test
    void findsAnswersThatAreInTheWrongOrder() throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> {
            byte[] first = in.readNBytes(64);
            byte[] second = in.readNBytes(64);
            out.write(second);
            out.write(first);
            in.read();
        })) {
            EchoLoad load = opened(server.address(), new LoadShape(1, 64, 2));
            runFor(load, 200);
            assertThat(load.errors().byName()).containsOnlyKeys("content");
            assertThat(load.messages()).isZero();
        }
    }

    @Test
    void findsBytesThatNobodySent() throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> {
            byte[] message = in.readNBytes(50);
            byte[] answer = Arrays.copyOf(message, 53);
            out.write(answer);
            in.readAllBytes();
        })) {
            EchoLoad load = opened(server.address(), new LoadShape(1, 50, 1));
            onLoop(() -> {
                load.start();
                return true;
            });
            await().atMost(Duration.ofSeconds(2))
                    .until(() -> onLoop(() -> load.errors().total()) > 0);
            assertThat(load.errors().byName()).containsOnlyKeys("content");
        }
    }

    @Test
    void countsAnEarlyCloseAsReadError() throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> out.write(in.readNBytes(100)))) {
            EchoLoad load = opened(server.address(), new LoadShape(4, 100, 1));
            runFor(load, 300);
            assertThat(load.errors().byName()).containsOnlyKeys("read");
            assertThat(load.errors().count(ErrorKind.READ)).isEqualTo(4);
            assertThat(load.messages()).isEqualTo(4);
            assertThat(onLoop(load::openConnections)).isZero();
        }
    }

    @Test
    void countsAResetOnce() throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> {
            in.read();
            socket.setSoLinger(true, 0);
        })) {
            EchoLoad load = opened(server.address(), new LoadShape(3, 100, 1));
            runFor(load, 300);
            assertThat(load.errors().total()).isEqualTo(3);
        }
    }

    @Test
    void aServerThatDoesNotAnswerTimesOut() throws Exception {
        try (ScriptedServer server = new ScriptedServer((socket, in, out) -> in.readAllBytes())) {
            EchoLoad load = opened(server.address(), new LoadShape(2, 100, 1));
            runFor(load, 10);
            assertThat(load.errors().byName()).containsOnlyKeys("timeout");
            assertThat(load.errors().count(ErrorKind.TIMEOUT)).isEqualTo(2);
        }
    }

    @Test
    void refusedConnectionsAreNotTriedForEver() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        EchoLoad load = opened(new InetSocketAddress("127.0.0.1", port), new LoadShape(10_000, 100, 1));
        assertThat(load.errors().byName()).containsOnlyKeys("connect");
        assertThat(load.errors().count(ErrorKind.CONNECT)).isBetween(1L, 200L);
        assertThat(onLoop(load::openConnections)).isZero();
    }

    @Test
    void allocatesNothingPerMessage() throws Exception {
        try (LoopGroup servers = LoopGroup.open(EngineOptions.of(Backend.auto().backend()));
                Listener listener = EchoServer.listen(servers, new InetSocketAddress("127.0.0.1", 0))) {
            EchoLoad load = opened(listener.address(), new LoadShape(10, 100, 8));
            runFor(load, 1000);
            long messages = load.messages();
            long bytes = allocatedByLoop();
            runFor(load, 500);
            long perMessage = (allocatedByLoop() - bytes) * 100 / (load.messages() - messages);
            assertThat(load.messages() - messages).isGreaterThan(1000);
            assertThat(perMessage).as("hundredths of a byte a message").isLessThan(200);
        }
    }

    private long allocatedByLoop() throws Exception {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = onLoop(() -> Thread.currentThread().threadId());
        return threads.getThreadAllocatedBytes(id);
    }

    private EchoLoad opened(InetSocketAddress target, LoadShape shape) throws Exception {
        EchoLoad load = new EchoLoad(loop, target, shape, TIMEOUT);
        CompletableFuture<Void> opened = new CompletableFuture<>();
        loop.execute(() -> load.open(() -> opened.complete(null)));
        opened.get(10, TimeUnit.SECONDS);
        return load;
    }

    private void runFor(EchoLoad load, long millis) throws Exception {
        CompletableFuture<Void> idle = new CompletableFuture<>();
        loop.execute(load::start);
        Thread.sleep(millis);
        loop.execute(() -> load.stop(() -> idle.complete(null)));
        idle.get(10, TimeUnit.SECONDS);
    }

    private <T> T onLoop(Callable<T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                answer.complete(question.call());
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.get(10, TimeUnit.SECONDS);
    }
}
