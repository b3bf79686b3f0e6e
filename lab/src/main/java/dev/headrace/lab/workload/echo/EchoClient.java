package dev.headrace.lab.workload.echo;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.lab.workload.ErrorKind;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an {@link EchoLoad}: keeps a fixed number of messages in flight, checks the answers byte by byte and
 * times them.
 *
 * <p>Thread: the loop's. Owns: the send times of the messages in flight. Nothing is allocated per message.
 */
final class EchoClient implements ConnectionHandler {
    private final EchoLoad load;
    private final int index;
    private final int payloadBytes;
    /** Send times of the messages in flight, a ring. */
    private final long[] sentNanos;

    private @Nullable Connection connection;
    private boolean ended;

    private int toSend;
    private long sendSequence;
    private int sendOffset;
    private int sendSlot;

    private int inFlight;
    private long receiveSequence;
    private int receiveOffset;
    private int receiveSlot;

    EchoClient(EchoLoad load, int index) {
        this.load = load;
        this.index = index;
        this.payloadBytes = load.shape().payloadBytes();
        this.sentNanos = new long[load.shape().depth()];
    }

    @Override
    public void opened(Connection opened) {
        connection = opened;
        load.connected(this);
    }

    /** Fills the connection up to its depth. */
    void start(long nowNanos) {
        if (!ended) {
            send(sentNanos.length - inFlight, nowNanos);
        }
    }

    private void send(int messages, long nowNanos) {
        toSend += messages;
        inFlight += messages;
        load.started(messages);
        pump(nowNanos);
    }

    private void pump(long nowNanos) {
        Connection open = connection;
        if (open == null) {
            return;
        }
        byte[] scratch = load.scratch();
        while (toSend > 0 && !ended) {
            if (sendOffset == 0) {
                sentNanos[sendSlot] = nowNanos;
            }
            int count = Math.min(payloadBytes - sendOffset, EchoLoad.CHUNK_BYTES);
            int at = MessagePattern.fill(scratch, MessagePattern.seed(index, sendSequence), sendOffset, count);
            int accepted = open.write(scratch, at, count);
            sendOffset += accepted;
            if (sendOffset == payloadBytes) {
                sendOffset = 0;
                sendSequence++;
                sendSlot = next(sendSlot);
                toSend--;
            }
            if (accepted < count) {
                return;
            }
        }
    }

    @Override
    public void drained(Connection c) {
        if (!ended) {
            pump(System.nanoTime());
        }
    }

    @Override
    public void received(Connection c, Buffer data) {
        if (ended) {
            return;
        }
        long nowNanos = System.nanoTime();
        int length = data.length();
        int completed = 0;
        int at = 0;
        while (at < length) {
            if (completed == inFlight) {
                fail(ErrorKind.CONTENT, (length - at) + " bytes more than were sent");
                return;
            }
            int count = Math.min(length - at, payloadBytes - receiveOffset);
            long seed = MessagePattern.seed(index, receiveSequence);
            if (!MessagePattern.matches(data, at, count, seed, receiveOffset)) {
                fail(
                        ErrorKind.CONTENT,
                        "message " + receiveSequence + " of connection " + index + " came back changed");
                return;
            }
            at += count;
            receiveOffset += count;
            if (receiveOffset == payloadBytes) {
                load.answered(nowNanos - sentNanos[receiveSlot]);
                receiveOffset = 0;
                receiveSequence++;
                receiveSlot = next(receiveSlot);
                completed++;
            }
        }
        if (completed > 0) {
            inFlight -= completed;
            load.finished(completed);
            if (load.running()) {
                send(completed, nowNanos);
            }
        }
    }

    @Override
    public void inputEnded(Connection c) {
        fail(ErrorKind.READ, "the peer closed the connection");
    }

    @Override
    public void closed(Connection c, @Nullable Throwable cause) {
        ErrorKind kind = c.outputPendingBytes() > 0 ? ErrorKind.WRITE : ErrorKind.READ;
        String message = cause == null ? null : cause.getMessage();
        fail(kind, message == null ? "the connection was closed" : message);
    }

    /** Fails the connection when its oldest message has waited for too long. */
    void expire(long nowNanos, long timeoutNanos) {
        if (!ended && inFlight > 0 && nowNanos - sentNanos[receiveSlot] > timeoutNanos) {
            fail(ErrorKind.TIMEOUT, "no answer within " + timeoutNanos / 1_000_000_000L + " s");
        }
    }

    /** Ends the connection at once, without an error. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        toSend = 0;
        int lost = inFlight;
        inFlight = 0;
        Connection open = connection;
        if (open != null) {
            open.abort();
        }
        load.ended(lost);
    }

    private void fail(ErrorKind kind, String words) {
        if (!ended) {
            load.errors().add(kind, words);
            end();
        }
    }

    private int next(int slot) {
        return slot + 1 == sentNanos.length ? 0 : slot + 1;
    }
}
