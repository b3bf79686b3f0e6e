package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.socket.SocketErrors;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One established TCP connection: ordered writes, half-close, back-pressure and an end that loses nothing.
 *
 * <p>Writes are queued and leave at the end of the loop's turn, as one send where possible. Reading pauses by itself
 * while the pending output is above the high watermark.
 *
 * <p>Thread: its loop's, for everything; other threads use {@link Loop#execute}. Owns: the descriptor, until
 * {@link ConnectionHandler#closed}.
 */
public final class Connection implements OperationOwner {
    /** How far the end of the connection has come. */
    private enum Phase {
        OPEN,
        /** Closed by the user; output is still going out. */
        DRAINING,
        /** FIN is sent; the peer's end is awaited. */
        LINGERING,
        /** Whatever is in flight is being cancelled. */
        STOPPING,
        /** The close of the descriptor is on its way. */
        CLOSING,
        CLOSED
    }

    private final Loop loop;
    private final int fd;
    private final long id;
    private final Input input;
    private final Output output;
    private ConnectionHandler handler = NO_HANDLER;
    private @Nullable Object attachment;
    private Phase phase = Phase.OPEN;
    /** Whether the loop's list of changed connections holds this one. */
    boolean changed;

    private boolean drainedOwed;
    private boolean awaitsOutputBuffers;
    private boolean finWanted;
    private boolean finSent;
    private boolean resets;
    private @Nullable Throwable cause;
    private @Nullable Operation control;
    private @Nullable Timer deadline;
    private long pendingAtDeadline;
    /** The send in flight was interrupted at the deadline, to see whether it had got anywhere. */
    private boolean probing;
    /** Neighbours in the loop's list of connections. */
    @Nullable
    Connection previous;

    @Nullable
    Connection next;

    private static final ConnectionHandler NO_HANDLER = (connection, data) -> {};

    Connection(Loop loop, int fd, long id) {
        this.loop = loop;
        this.fd = fd;
        this.id = id;
        this.input = new Input(this);
        this.output = new Output(this);
    }

    /** Finds its handler, tells it, and begins to receive. */
    void begin(Function<Connection, ConnectionHandler> handlers) {
        try {
            handler = Objects.requireNonNull(handlers.apply(this), "the function of handlers returned null");
            handler.opened(this);
        } catch (Throwable thrown) {
            handlerThrew(thrown);
        }
        input.arm();
    }

    // ---- what users call

    /**
     * Writes all bytes of a buffer: by reference, with a lease of its own, or by copy when small.
     *
     * @throws IllegalStateException after {@link #close}, {@link #abort} or {@link #shutdownOutput}, or on another thread
     */
    public void write(Buffer data) {
        if (writeRefused()) {
            return;
        }
        output.append(data);
        wrote();
    }

    /**
     * Writes a copy of bytes, as many as fit below the high watermark. When that is not all, {@code drained} is called
     * once there is room again.
     *
     * @return how many were taken; on a connection that has failed all are, and dropped
     * @throws IllegalStateException after {@link #close}, {@link #abort} or {@link #shutdownOutput}, or on another thread
     * @throws IllegalArgumentException when the segment is on the heap; use the array method
     * @throws WrongThreadException when the segment is confined to another thread
     */
    public int write(MemorySegment data) {
        if (!data.isNative()) {
            throw new IllegalArgumentException("a heap segment has no address: write the array itself");
        }
        if (!data.scope().isAlive()) {
            throw new IllegalStateException("the memory of the segment was freed");
        }
        if (!data.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the segment is confined to another thread than the loop's");
        }
        if (writeRefused()) {
            return (int) Math.min(data.byteSize(), Integer.MAX_VALUE);
        }
        return wrote(output.append(data.address(), data.byteSize()), data.byteSize());
    }

    /**
     * Writes a copy of bytes; as {@link #write(MemorySegment)}.
     *
     * @throws IndexOutOfBoundsException when the range is not within the array
     */
    public int write(byte[] data, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, data.length);
        if (writeRefused()) {
            return length;
        }
        int taken = 0;
        while (taken < length) {
            int part = Math.min(length - taken, loop.stagingBytes());
            int accepted = output.append(loop.staged(data, offset + taken, part), part);
            taken += accepted;
            if (accepted < part) {
                break;
            }
        }
        return wrote(taken, length);
    }

    private int wrote(int taken, long wanted) {
        if (taken < wanted) {
            drainedOwed = true;
            if (output.empty() && !awaitsOutputBuffers) {
                // The loop's output buffers are used up by others: it tells when some are back.
                awaitsOutputBuffers = true;
                loop.awaitOutputBuffers(this);
            }
        }
        wrote();
        return taken;
    }

    private void wrote() {
        if (output.pendingBytes() > loop.options().highWatermarkBytes() || heldTooMuch()) {
            input.throttle(true);
        }
        loop.changed(this);
    }

    private boolean heldTooMuch() {
        return output.buffersHeld() > loop.options().buffersHeldMax();
    }

    /** Throws for what the caller can know; true when the connection has failed and its end was not told yet. */
    private boolean writeRefused() {
        loop.requireLoopThread();
        if (cause != null && phase != Phase.CLOSED) {
            return true;
        }
        if (phase != Phase.OPEN || finWanted) {
            throw new IllegalStateException("write after " + (phase == Phase.OPEN ? "shutdownOutput" : "close"));
        }
        return false;
    }

    /**
     * Whether the pending output is below the high watermark; when not, {@code drained} is called once it has fallen to the
     * low one. A copying write may still be cut short, when the loop's output buffers are used up by others.
     */
    public boolean writable() {
        boolean room =
                phase == Phase.OPEN && output.pendingBytes() < loop.options().highWatermarkBytes();
        drainedOwed |= !room;
        return room;
    }

    /** Bytes written and not yet taken by the kernel. */
    public long outputPendingBytes() {
        return output.pendingBytes();
    }

    /** Ends the output once what is queued is sent: the peer sees FIN, and can go on sending. */
    public void shutdownOutput() {
        loop.requireLoopThread();
        if (phase == Phase.OPEN && !finWanted) {
            finWanted = true;
            loop.changed(this);
        }
    }

    /**
     * Closes in order: queued output is sent, then FIN; input is thrown away; the descriptor is closed at the peer's end
     * or when the linger time is over. Further calls do nothing.
     */
    public void close() {
        loop.requireLoopThread();
        if (phase != Phase.OPEN) {
            return;
        }
        phase = Phase.DRAINING;
        input.discard();
        startDeadline();
        loop.changed(this);
    }

    /** Ends at once: pending output is dropped and the peer sees a reset. */
    public void abort() {
        loop.requireLoopThread();
        if (phase.compareTo(Phase.STOPPING) < 0) {
            resets = true;
            stop();
        }
    }

    /** Stops calls of {@code received} until {@link #resumeReading}; the kernel's own buffer then fills up. */
    public void pauseReading() {
        loop.requireLoopThread();
        input.pause(true);
    }

    /** Goes on reading; what arrived meanwhile is delivered in this turn or the next. */
    public void resumeReading() {
        loop.requireLoopThread();
        input.pause(false);
    }

    /** Whether neither side has begun to end the connection as a whole. */
    public boolean open() {
        return phase == Phase.OPEN;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(@Nullable Object value) {
        attachment = value;
    }

    public Loop loop() {
        return loop;
    }

    /** Unique within the process. */
    public long id() {
        return id;
    }

    /** The peer's address; asks the kernel each time. */
    public InetSocketAddress remoteAddress() {
        return addressOf(true);
    }

    /** The local address; asks the kernel each time. */
    public InetSocketAddress localAddress() {
        return addressOf(false);
    }

    private InetSocketAddress addressOf(boolean remote) {
        loop.requireLoopThread();
        if (phase.compareTo(Phase.CLOSING) >= 0) {
            throw new IllegalStateException("the connection is closed: ask for its addresses before");
        }
        return loop.addressOf(fd, remote);
    }

    // ---- what the loop and the two halves call

    int fd() {
        return fd;
    }

    /** The loop's flush: input held back goes on, output is staged, an end proceeds. */
    void flush() {
        if (phase.compareTo(Phase.STOPPING) >= 0) {
            settle();
            return;
        }
        if (phase == Phase.OPEN) {
            input.proceed();
        }
        output.flush(drainedOwed || finWanted || phase != Phase.OPEN || input.throttled() || loop.buffersAreAwaited());
        if (finWanted || phase != Phase.OPEN) {
            settle();
        }
    }

    void deliver(Buffer buffer) {
        try {
            handler.received(this, buffer);
        } catch (Throwable thrown) {
            handlerThrew(thrown);
        }
        buffer.release();
    }

    void deliverEnd() {
        try {
            handler.inputEnded(this);
        } catch (Throwable thrown) {
            handlerThrew(thrown);
        }
    }

    /** A send has ended. */
    void sent(int result) {
        if (phase.compareTo(Phase.STOPPING) >= 0) {
            output.dropQueued();
            settle();
            return;
        }
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR && result != -Errno.ECANCELED) {
            failed("send", result);
            return;
        }
        if (probing && phase == Phase.DRAINING) {
            probing = false;
            if (result <= 0) {
                giveUpDraining();
                return;
            }
            startDeadline();
        }
        if (!output.empty() || finWanted || phase != Phase.OPEN) {
            loop.changed(this);
        }
        if (output.pendingBytes() <= loop.options().lowWatermarkBytes()) {
            belowLowWatermark();
        }
    }

    /** The loop has output buffers again. */
    void outputBuffersReturned() {
        awaitsOutputBuffers = false;
        belowLowWatermark();
    }

    /** Reading goes on, and whoever waits to write is told. */
    private void belowLowWatermark() {
        if (input.throttled() && !heldTooMuch()) {
            input.throttle(false);
        }
        if (drainedOwed && phase == Phase.OPEN) {
            drainedOwed = false;
            try {
                handler.drained(this);
            } catch (Throwable thrown) {
                handlerThrew(thrown);
            }
        }
    }

    void failed(String attempted, int result) {
        boolean orderly = phase == Phase.LINGERING;
        fail(orderly ? null : SocketErrors.exception(attempted, result), false);
    }

    private void handlerThrew(Throwable thrown) {
        loop.handlerFailed(thrown);
        fail(thrown, true);
    }

    private void fail(@Nullable Throwable why, boolean reset) {
        if (phase.compareTo(Phase.STOPPING) < 0) {
            cause = why;
            resets = reset;
            stop();
        }
    }

    private void stop() {
        phase = Phase.STOPPING;
        if (deadline != null) {
            deadline.cancel();
        }
        input.stop();
        output.abandon();
        loop.changed(this);
    }

    // ---- the end, step by step (each step waits for the completions of the one before)

    void settle() {
        switch (phase) {
            case OPEN -> {
                if (finWanted && !finSent && output.empty() && control == null) {
                    stageShutdown();
                }
            }
            case DRAINING -> settleDraining();
            case LINGERING -> {
                if (input.ended() && control == null) {
                    stop();
                }
            }
            case STOPPING -> settleStopping();
            case CLOSING, CLOSED -> {}
        }
    }

    private void settleDraining() {
        if (!output.empty() || control != null) {
            return;
        }
        if (finSent) {
            phase = Phase.LINGERING;
            startDeadline();
            settle();
        } else if (input.ended()) {
            // The peer is done too: closing the descriptor sends our FIN.
            stop();
        } else {
            stageShutdown();
        }
    }

    private void stageShutdown() {
        Operation shutdown = loop.operations().borrow(this).prepareShutdown(fd, Socket.SHUT_WR);
        control = shutdown;
        loop.driver().stage(shutdown);
    }

    private void settleStopping() {
        if (!input.idle() || output.sending() || control != null) {
            return;
        }
        output.dropQueued();
        if (resets) {
            loop.sockets().resetOnClose(fd);
        }
        phase = Phase.CLOSING;
        Operation close = loop.operations().borrow(this).prepareClose(fd);
        control = close;
        loop.driver().stage(close);
    }

    /** A shutdown or the close has ended. */
    @Override
    public void completed(Operation operation, int result, boolean more, int bufferId) {
        assert operation == control;
        control = null;
        loop.operations().giveBack(operation);
        if (phase == Phase.CLOSING) {
            ended();
        } else {
            // ENOTCONN means that the peer has reset meanwhile: the receive tells.
            finSent = true;
            settle();
        }
    }

    private void ended() {
        phase = Phase.CLOSED;
        loop.remove(this);
        try {
            handler.closed(this, cause);
        } catch (Throwable thrown) {
            loop.handlerFailed(thrown);
        }
    }

    private void startDeadline() {
        if (deadline != null) {
            deadline.cancel();
        }
        pendingAtDeadline = output.pendingBytes();
        deadline = loop.schedule(loop.options().lingerNanos(), this::deadlinePassed);
    }

    private void deadlinePassed() {
        if (phase == Phase.LINGERING) {
            stop();
        } else if (phase == Phase.DRAINING) {
            // A send tells nothing before its end: interrupted, it says how much the peer has taken.
            probing = output.pendingBytes() == pendingAtDeadline && output.interrupt();
            if (!probing) {
                startDeadline();
            }
        }
    }

    private void giveUpDraining() {
        String message = "the peer took nothing of the last " + output.pendingBytes() + " bytes within "
                + loop.options().linger().toMillis() + " ms";
        fail(new SocketTimeoutException(message), true);
    }

    @Override
    public String toString() {
        return "connection " + id + " (fd " + fd + ", " + phase + ")";
    }
}
