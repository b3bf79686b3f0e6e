package dev.headrace.soak;

import dev.headrace.testkit.Content;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One after another, visits of all kinds to a server, drawn from a seed. Thread: one of its own. */
final class Visitor {
    private static final int BIG_BYTES = 1 << 20;
    private static final int SMALL_BYTES = 3000;
    private static final int SLOW_READER_WINDOW_BYTES = 4096;

    private final Server server;
    private final SplittableRandom random;
    private final BooleanSupplier goOn;
    private final AtomicLong visits;
    private final AtomicReference<@Nullable Throwable> failure;

    Visitor(
            Server server,
            long seed,
            BooleanSupplier goOn,
            AtomicLong visits,
            AtomicReference<@Nullable Throwable> failure) {
        this.server = server;
        this.random = new SplittableRandom(seed);
        this.goOn = goOn;
        this.visits = visits;
        this.failure = failure;
    }

    Thread start(String name) {
        return Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private void run() {
        try {
            while (goOn.getAsBoolean()) {
                visit(random.nextInt(9));
                visits.incrementAndGet();
            }
        } catch (Throwable thrown) {
            failure.compareAndSet(null, thrown);
        }
    }

    private void visit(int kind) throws IOException, InterruptedException {
        switch (kind) {
            case 0 -> exchange(Resident.ECHO, 1 + random.nextInt(SMALL_BYTES), 20);
            case 1 -> exchange(Resident.ECHO, BIG_BYTES, 1);
            case 2 -> exchange(Resident.RETAIN, 1 + random.nextInt(SMALL_BYTES), 3);
            case 3 -> exchange(Resident.PAUSE, 1 + random.nextInt(SMALL_BYTES), 3);
            case 4 -> readSlowly();
            case 5 -> halfClose();
            case 6 -> reset();
            case 7 -> beAborted();
            default -> dripAndIdle();
        }
    }

    private byte[] content(byte manner, int length) {
        byte[] content = Content.of(random.nextLong(), length);
        content[0] = manner;
        return content;
    }

    private void exchange(byte manner, int length, int times) throws IOException {
        try (Peer peer = server.connect()) {
            byte[] content = content(manner, length);
            for (int i = 0; i < times; i++) {
                if (length > SMALL_BYTES) {
                    peer.exchange(content);
                } else {
                    peer.send(content);
                    peer.expect(content);
                }
            }
        }
    }

    /** The server's output piles up, then is taken in small portions. */
    private void readSlowly() throws IOException, InterruptedException {
        try (Peer peer = Peer.to(server.address(), SLOW_READER_WINDOW_BYTES)) {
            byte[] content = content(Resident.ECHO, BIG_BYTES / 4);
            CompletableFuture<Void> sent = peer.sendMeanwhile(content);
            Thread.sleep(random.nextInt(100));
            peer.expect(content);
            sent.join();
        }
    }

    private void halfClose() throws IOException {
        try (Peer peer = server.connect()) {
            byte[] content = content(Resident.ECHO, 1 + random.nextInt(SMALL_BYTES));
            peer.send(content);
            peer.finish();
            peer.expect(content);
            peer.expectEnd();
        }
    }

    /** Goes in the middle of what it asked for. */
    private void reset() throws IOException {
        byte manner = random.nextBoolean() ? Resident.ECHO : Resident.RETAIN;
        try (Peer peer = Peer.to(server.address(), SLOW_READER_WINDOW_BYTES)) {
            for (int i = random.nextInt(8); i >= 0; i--) {
                peer.send(content(manner, SMALL_BYTES));
            }
            peer.reset();
        }
    }

    private void beAborted() throws IOException {
        try (Peer peer = server.connect()) {
            peer.send(content(Resident.ABORT, 1));
            peer.expectReset();
        }
    }

    private void dripAndIdle() throws IOException, InterruptedException {
        try (Peer peer = server.connect()) {
            byte[] content = content(Resident.ECHO, 1 + random.nextInt(20));
            for (int i = 0; i < content.length; i++) {
                peer.send(content, i, 1);
                Thread.sleep(1);
            }
            peer.expect(content);
            Thread.sleep(random.nextInt(200));
        }
    }
}
