package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What comes back is what was sent, whatever the size and however it was cut. */
class EchoTest {
    private static final int[] SIZES = {
        1,
        2,
        3,
        63,
        64,
        65,
        100,
        511,
        1000,
        2047,
        2048,
        2049,
        4095,
        4096,
        4097,
        8191,
        16_383,
        16_384,
        16_385,
        32_768,
        65_535,
        65_536,
        65_537,
        100_003,
        262_144,
        1_048_575,
        1_048_577,
        3_000_001,
        10_000_000,
        10 << 20
    };

    @EveryBackend
    void exactFromOneByteToTenMegabytes(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            long total = 0;
            for (int size : SIZES) {
                peer.exchange(Content.of(size, size));
                total += size;
            }
            peer.finish();
            peer.expectEnd();
            assertThat(server.count(Counter.BYTES_RECEIVED)).isEqualTo(total);
            assertThat(server.count(Counter.BYTES_SENT)).isEqualTo(total);
        }
    }

    @EveryBackend
    void eachSizeOnAConnectionOfItsOwn(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            for (int size : SIZES) {
                try (Peer peer = server.connect()) {
                    CompletableFuture<Void> sent = Peer.meanwhile(() -> {
                        peer.send(Content.of(-size, size));
                        peer.finish();
                    });
                    Content.requireSame(Content.of(-size, size), peer.receiveToEnd());
                    sent.join();
                }
            }
        }
    }

    @EveryBackend
    void exactWithTinyBuffersAndQueues(Setting setting) throws IOException {
        EngineOptions tiny = setting.options()
                .withReceiveBuffers(16, 100)
                .withOutputBuffers(8, 70)
                .withWatermarks(100, 900)
                .withRing(4, 8, 8);
        try (Server server = Server.echo(tiny);
                Peer peer = server.connect()) {
            for (int size : new int[] {1, 99, 100, 101, 1_000, 65_537, 1_000_003}) {
                peer.exchange(Content.of(size, size));
            }
        }
    }

    /** More connections than the queues have entries and the pool has buffers: everything is short at once. */
    @EveryBackend
    void exactForManyOnTinyBuffersAndQueues(Setting setting)
            throws IOException, ExecutionException, InterruptedException {
        EngineOptions tiny = setting.options()
                .withReceiveBuffers(16, 100)
                .withOutputBuffers(8, 70)
                .withWatermarks(100, 900)
                .withRing(4, 8, 8);
        try (Server server = Server.echo(tiny)) {
            exchangeAllAtOnce(server, 60);
        }
    }

    @Fault(14)
    @EveryBackend
    void exactByteByByte(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            byte[] content = Content.of(5, 2_000);
            CompletableFuture<Void> sent = Peer.meanwhile(() -> {
                for (int i = 0; i < content.length; i++) {
                    peer.send(content, i, 1);
                }
            });
            peer.expect(content);
            sent.join();
        }
    }

    @Fault(24)
    @EveryBackend
    void exactForManyAtOnceEachWithContentsOfItsOwn(Setting setting)
            throws IOException, ExecutionException, InterruptedException {
        try (Server server = Server.echo(setting.options().withLoops(2))) {
            exchangeAllAtOnce(server, 200);
        }
    }

    private static void exchangeAllAtOnce(Server server, int count) throws ExecutionException, InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> peers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                peers.add(threads.submit(() -> {
                    exchangeInOddPieces(server, number);
                    return number;
                }));
            }
            for (Future<?> peer : peers) {
                peer.get();
            }
            assertThat(server.listener().accepted()).isEqualTo(count);
        }
    }

    private static void exchangeInOddPieces(Server server, int number) throws IOException {
        SplittableRandom random = new SplittableRandom(number);
        try (Peer peer = server.connect()) {
            for (int i = 0; i < 20; i++) {
                byte[] content = Content.of(number * 1000L + i, random.nextInt(1, 20_000));
                int cut = random.nextInt(content.length);
                peer.send(content, 0, cut);
                peer.send(content, cut, content.length - cut);
                peer.expect(content);
            }
            peer.finish();
            peer.expectEnd();
        }
    }

    @Fault(24)
    @EveryBackend
    void exactWhenManyMessagesAreUnderWay(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            int window = 64;
            int length = 100;
            int messages = 20_000;
            byte[] all = Content.of(9, messages * length);
            for (int i = 0; i < window; i++) {
                peer.send(all, i * length, length);
            }
            for (int i = 0; i < messages; i++) {
                byte[] expected = Arrays.copyOfRange(all, i * length, (i + 1) * length);
                peer.expect(expected);
                if (i + window < messages) {
                    peer.send(all, (i + window) * length, length);
                }
            }
        }
    }
}
