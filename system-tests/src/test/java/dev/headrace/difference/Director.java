package dev.headrace.difference;

import dev.headrace.difference.Stage.Part;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Plays a scenario step by step, and waits for the effect of each. */
final class Director {
    /** Long enough for what must not happen to happen. */
    private static final long SILENCE_NANOS = 1_000_000;

    private static final long STALL_NANOS = 10_000_000;
    /** More than all buffers of the kernel between two sockets. */
    private static final int STALLING_BYTES = 6 << 20;

    private static final int PIECE_BYTES = 100;

    private final Scenario scenario;
    private final Stage stage;
    private int step;

    private Director(Scenario scenario, Stage stage) {
        this.scenario = scenario;
        this.stage = stage;
    }

    /** What was seen, line by line; when a step does not end, the last line says so. */
    static List<String> play(Scenario scenario, EngineOptions base) throws IOException {
        try (Stage stage = new Stage(scenario.options(base))) {
            Director director = new Director(scenario, stage);
            for (Action action : scenario.actions()) {
                stage.trace().step(director.step);
                try {
                    director.play(action);
                    stage.settle();
                } catch (AssertionError | IOException e) {
                    return stage.linesAnd("step " + director.step + ", " + action + ", did not end: " + e.getMessage());
                }
                director.step++;
            }
            stage.trace().step(director.step);
            boolean inOrder = stage.shutDown();
            return stage.linesAnd("shut down " + (inOrder ? "in order" : "by force"));
        }
    }

    private void play(Action action) throws IOException {
        switch (action.kind()) {
            case CONNECT_TO_ECHO -> stage.connect(true);
            case CONNECT_TO_KEEP -> stage.connect(false);
            case REACH -> stage.reach();
            case REACH_NOBODY -> stage.reachNobody();
            default -> play(action, stage.part(action.connection()));
        }
    }

    private void play(Action action, Part part) throws IOException {
        int bytes = action.bytes();
        switch (action.kind()) {
            case SEND -> send(part, bytes);
            case ALL_SEND -> sendAll(part, action.others(), bytes);
            case WRITE -> write(part, bytes);
            case WRITE_PIECES -> writePieces(part, bytes);
            case PAUSE -> pause(part);
            case RESUME -> resume(part);
            case FINISH -> finish(part);
            case SEND_AND_FINISH -> sendAndFinish(part, bytes);
            case FINISH_OUTPUT -> {
                stage.run(part, part.connection()::shutdownOutput);
                awaitClientsEnd(part);
            }
            case RESET -> reset(part);
            case SEND_AND_RESET -> sendAndReset(part, bytes);
            case RESET_IN_PAUSE -> resetInPause(part);
            case LEAVE_UNREAD -> leaveUnread(part, bytes);
            case LEAVE_WRITER -> leaveWriter(part);
            case CLOSE -> close(part, 0);
            case CLOSE_EARLY -> close(part, bytes);
            case ABORT -> abort(part);
            case THROW -> throwWhileReceiving(part);
            case STARVE -> starve(part, stage.part(action.others().getFirst()), bytes);
            default -> playStall(action, part);
        }
    }

    private void playStall(Action action, Part part) throws IOException {
        stall(part);
        switch (action.kind()) {
            case STALL -> {
                long total = part.client.received() + STALLING_BYTES;
                stage.await("all of what was stalled", () -> {
                    part.client.receive(total);
                    return part.client.received() == total && part.actor.wroteAll();
                });
            }
            case STALL_AND_RESET -> reset(part);
            case STALL_AND_ABORT -> abort(part);
            case STALL_AND_CLOSE -> {
                stage.run(part, part.actor::stopWriting);
                close(part, 0);
            }
            default -> throw new AssertionError(action);
        }
    }

    // ---- bytes

    private byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new SplittableRandom(step).nextBytes(content);
        return content;
    }

    private void send(Part part, int bytes) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(content(bytes));
        part.sent += bytes;
        stage.await("bytes sent and their effect", () -> {
            part.client.send(content);
            return !content.hasRemaining() & (part.paused || taken(part));
        });
    }

    /** Whether all that the client has sent has had its effect. */
    private static boolean taken(Part part) throws IOException {
        if (!part.actor.echoes()) {
            return part.actor.received() == part.sent;
        }
        part.client.receive(part.sent);
        return part.client.received() == part.sent;
    }

    private void sendAll(Part first, List<Integer> others, int bytes) throws IOException {
        send(first, 1);
        for (int other : others) {
            Part part = stage.part(other);
            part.sent += bytes;
            part.client.send(ByteBuffer.wrap(content(bytes)));
        }
        for (int other : others) {
            stage.await("bytes of all and their effect", () -> taken(stage.part(other)));
        }
    }

    private void write(Part part, int bytes) throws IOException {
        int taken = stage.call(part, () -> {
            part.actor.write(content(bytes));
            return part.actor.written();
        });
        part.actor.log().add("wrote " + bytes + " B, " + taken + " B taken at once");
        long total = part.client.received() + bytes;
        stage.await("bytes written", () -> {
            part.client.receive(total);
            return part.client.received() == total && part.actor.wroteAll();
        });
        stage.settle();
        part.actor.log().add("drained " + stage.call(part, part.actor::drains) + " times");
    }

    private void writePieces(Part part, int count) throws IOException {
        byte[] content = content(count * PIECE_BYTES);
        int taken = stage.call(part, () -> {
            int sum = 0;
            for (int i = 0; i < count; i++) {
                sum += part.connection().write(content, sum, PIECE_BYTES);
            }
            return sum;
        });
        part.actor.log().add("wrote " + count + " pieces, " + taken + " B taken");
        long total = part.client.received() + taken;
        stage.await("pieces written", () -> {
            part.client.receive(total);
            return part.client.received() == total;
        });
    }

    private void stall(Part part) throws IOException {
        stage.run(part, () -> part.actor.write(content(STALLING_BYTES)));
        int[] written = {-1};
        stage.await("a stall", () -> {
            int before = written[0];
            written[0] = part.actor.written();
            if (before != written[0]) {
                Stage.pass(STALL_NANOS);
            }
            return before == written[0];
        });
        part.actor.log().add(part.actor.wroteAll() ? "not stalled" : "stalled");
    }

    // ---- pauses

    private void pause(Part part) {
        stage.run(part, part.connection()::pauseReading);
        part.paused = true;
    }

    private void resume(Part part) throws IOException {
        part.actor.log().add("received " + part.actor.received() + " B until now");
        stage.run(part, part.connection()::resumeReading);
        part.paused = false;
        stage.await("what was sent in the pause", () -> taken(part));
        if (part.finished) {
            awaitEndOfInput(part);
        }
    }

    // ---- ends

    private void finish(Part part) throws IOException {
        part.client.finish();
        part.finished = true;
        if (!part.paused) {
            awaitEndOfInput(part);
        }
    }

    private void sendAndFinish(Part part, int bytes) throws IOException {
        part.finished = true;
        part.sent += bytes;
        CountDownLatch held = hold(part);
        part.client.send(ByteBuffer.wrap(content(bytes)));
        part.client.finish();
        held.countDown();
        stage.await("bytes before an end", () -> taken(part));
        awaitEndOfInput(part);
    }

    private void awaitEndOfInput(Part part) throws IOException {
        if (part.actor.echoes()) {
            awaitClientsEnd(part);
            leave(part);
        } else {
            stage.await("the end of the input", part.actor::inputEnded);
        }
    }

    private void awaitClientsEnd(Part part) throws IOException {
        stage.await("the client's end", () -> {
            part.client.receiveUnnoted();
            return part.client.over();
        });
    }

    private void awaitClosed(Part part) throws IOException {
        stage.await("the last call", part.actor::closed);
    }

    private void leave(Part part) throws IOException {
        part.client.close();
        awaitClosed(part);
    }

    private void reset(Part part) throws IOException {
        part.client.reset();
        awaitClosed(part);
    }

    /** Keeps the loop of a connection busy until told otherwise. */
    private CountDownLatch hold(Part part) {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch asleep = new CountDownLatch(1);
        part.connection().loop().execute(() -> {
            asleep.countDown();
            awaitLatch(held);
        });
        awaitLatch(asleep);
        return held;
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            if (!latch.await(5, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody came");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void sendAndReset(Part part, int bytes) throws IOException {
        CountDownLatch held = hold(part);
        part.client.send(ByteBuffer.wrap(content(bytes)));
        part.client.reset();
        held.countDown();
        awaitClosed(part);
    }

    private void resetInPause(Part part) throws IOException {
        part.client.reset();
        Stage.pass(SILENCE_NANOS);
        stage.run(part, part.connection()::resumeReading);
        awaitClosed(part);
    }

    private void leaveUnread(Part part, int bytes) throws IOException {
        stage.run(part, () -> part.actor.write(content(bytes)));
        long total = part.client.received() + bytes - 1;
        stage.await("all bytes but one", () -> {
            part.client.receive(total);
            return part.client.received() == total && stage.call(part, part.connection()::outputPendingBytes) == 0;
        });
        Stage.pass(SILENCE_NANOS);
        leave(part);
    }

    private void leaveWriter(Part part) throws IOException {
        part.client.close();
        stage.await("the end of the input", part.actor::inputEnded);
        stage.await("a failure of the writes", () -> {
            stage.run(part, () -> part.actor.write(new byte[1]));
            return part.actor.closed();
        });
    }

    private void close(Part part, int bytesMore) throws IOException {
        stage.run(part, part.connection()::close);
        awaitClientsEnd(part);
        if (bytesMore > 0) {
            part.client.send(ByteBuffer.wrap(content(bytesMore)));
        }
        leave(part);
    }

    private void abort(Part part) throws IOException {
        stage.run(part, part.connection()::abort);
        awaitClientsEnd(part);
        leave(part);
    }

    private void throwWhileReceiving(Part part) throws IOException {
        stage.run(part, part.actor::throwNext);
        part.client.send(ByteBuffer.wrap(content(1)));
        awaitClientsEnd(part);
        leave(part);
    }

    // ---- shortage

    private void starve(Part hoarder, Part other, int bytes) throws IOException {
        stage.run(hoarder, () -> hoarder.actor.retain(true));
        for (int i = 1; i <= scenario.buffers(); i++) {
            int wanted = i;
            send(hoarder, scenario.bufferBytes());
            stage.await("a retained buffer", () -> hoarder.actor.retainedCount() == wanted);
        }
        other.sent += bytes;
        long before = other.actor.received();
        other.client.send(ByteBuffer.wrap(content(bytes)));
        Stage.pass(SILENCE_NANOS);
        other.actor.log().add("received " + (other.actor.received() - before) + " B while there is no buffer");
        List<Buffer> retained = stage.call(hoarder, () -> {
            hoarder.actor.retain(false);
            return hoarder.actor.takeRetained();
        });
        if (bytes % 2 == 0) {
            stage.run(hoarder, () -> retained.forEach(Buffer::release));
        } else {
            retained.forEach(Buffer::release);
        }
        stage.await("what had found no buffer", () -> taken(other));
    }
}
