package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The number of a closed descriptor comes back at once; nothing meant for the old connection reaches the new one. */
class ReusedDescriptorTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 400;
    /** Content bytes carry the number of their connection, from 1 on; these two ask the server for an end. */
    private static final byte ASK_ABORT = -1;

    private static final byte ASK_CLOSE = -2;

    /** Echoes bytes of the connection's own number, and ends when asked to. */
    private static final class Guard extends Recording {
        private final ConcurrentLinkedQueue<String> strangers;
        private int own;
        private boolean ended;

        Guard(ConcurrentLinkedQueue<String> strangers) {
            this.strangers = strangers;
        }

        @Override
        public void received(Connection connection, Buffer data) {
            super.received(connection, data);
            if (ended) {
                strangers.add("received after the end");
            }
            for (int i = 0; i < data.length(); i++) {
                byte value = data.get(i);
                if (value == ASK_ABORT || value == ASK_CLOSE) {
                    ended = true;
                    if (value == ASK_ABORT) {
                        connection.abort();
                    } else {
                        connection.close();
                    }
                    return;
                }
                own = own == 0 ? value : own;
                if (value != own) {
                    strangers.add("connection " + own + " received a byte of " + value);
                }
            }
            connection.write(data);
        }

        @Override
        public void inputEnded(Connection connection) {
            super.inputEnded(connection);
            connection.close();
        }
    }

    @Fault(19)
    @EveryBackend
    void contentsNeverCross(Setting setting) throws IOException {
        ConcurrentLinkedQueue<String> strangers = new ConcurrentLinkedQueue<>();
        Set<String> numbers = ConcurrentHashMap.newKeySet();
        EngineOptions options = setting.options().withReceiveBuffers(64, 512).withRing(16, 32, 32);
        try (Server server = Server.open(options, connection -> {
            numbers.add(connection.toString().replaceAll(".*fd (\\d+).*", "$1"));
            return new Guard(strangers);
        })) {
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int thread = t;
                threads.add(Peer.meanwhile(() -> {
                    SplittableRandom random = new SplittableRandom(thread);
                    for (int i = 0; i < ROUNDS; i++) {
                        live(server, random, (byte) (1 + (thread * ROUNDS + i) % 120));
                    }
                }));
            }
            threads.forEach(thread -> assertThat(thread).succeedsWithin(Duration.ofSeconds(60)));
            assertThat(strangers).isEmpty();
            await().until(() -> server.count(Counter.CONNECTIONS_CLOSED) == THREADS * ROUNDS);
            assertThat(server.count(Counter.STALE_COMPLETIONS)).isZero();
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
            assertThat(numbers)
                    .as("descriptor numbers of " + THREADS * ROUNDS + " connections")
                    .hasSizeLessThan(THREADS * ROUNDS / 4);
        }
    }

    /** A short life with an end of any kind, often while data is on its way in both directions. */
    private static void live(Server server, SplittableRandom random, byte number) throws IOException {
        Peer peer = server.connect();
        byte[] content = new byte[random.nextInt(1, 3_000)];
        Arrays.fill(content, number);
        switch (random.nextInt(6)) {
            case 0 -> {
                peer.exchange(content);
                peer.finish();
                peer.expectEnd();
                peer.close();
            }
            case 1 -> {
                peer.send(content);
                peer.reset();
            }
            case 2 -> {
                peer.send(content);
                peer.close();
            }
            case 3 -> {
                peer.exchange(content);
                peer.send(new byte[] {ASK_ABORT});
                peer.expectReset();
                peer.close();
            }
            case 4 -> {
                peer.exchange(content);
                peer.send(new byte[] {ASK_CLOSE});
                peer.send(content);
                peer.expectEnd();
                peer.close();
            }
            default -> {
                peer.exchange(content);
                peer.reset();
            }
        }
    }
}
