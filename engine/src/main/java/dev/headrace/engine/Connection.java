package dev.headrace.engine;

import dev.headrace.abi.linux.Inet;
import dev.headrace.abi.linux.Tcp;
import dev.headrace.engine.buffer.Buffer;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.SocketOption;
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
public final class Connection {
    private final Loop loop;
    private final int fd;
    private final long id;
    private final Input input;
    private final Output output;
    private final Ending ending;
    private ConnectionHandler handler = NO_HANDLER;
    private @Nullable Object attachment;
    /** Whether the loop's list of changed connections holds this one. */
    boolean changed;

    private boolean drainedOwed;
    private boolean awaitsOutputBuffers;
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
        this.ending = new Ending(this, input, output);
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
        return wrote(output.append(data, offset, length), length);
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
        if (ending.failed()) {
            return true;
        }
        if (ending.begun()) {
            throw new IllegalStateException("write after " + (ending.open() ? "shutdownOutput" : "close"));
        }
        return false;
    }

    /**
     * Whether the pending output is below the high watermark; when not, {@code drained} is called once it has fallen to the
     * low one. A copying write may still be cut short, when the loop's output buffers are used up by others.
     */
    public boolean writable() {
        loop.requireLoopThread();
        boolean room = ending.open() && output.pendingBytes() < loop.options().highWatermarkBytes();
        drainedOwed |= !room;
        return room;
    }

    /** Bytes written and not yet taken by the kernel. */
    public long outputPendingBytes() {
        loop.requireLoopThread();
        return output.pendingBytes();
    }

    /** Ends the output once what is queued is sent: the peer sees FIN, and can go on sending. */
    public void shutdownOutput() {
        loop.requireLoopThread();
        ending.wantFin();
    }

    /**
     * Closes in order: queued output is sent, then FIN; input is thrown away; the descriptor is closed at the peer's end
     * or when the linger time is over. Further calls do nothing.
     */
    public void close() {
        loop.requireLoopThread();
        ending.close();
    }

    /** Ends at once: pending output is dropped and the peer sees a reset. */
    public void abort() {
        loop.requireLoopThread();
        ending.abort();
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
        return ending.open();
    }

    public @Nullable Object attachment() {
        loop.requireLoopThread();
        return attachment;
    }

    public void attach(@Nullable Object value) {
        loop.requireLoopThread();
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
        requireDescriptor("ask for its addresses");
        return loop.addressOf(fd, remote);
    }

    /**
     * Changes an option of the socket: {@code TCP_NODELAY}, {@code SO_KEEPALIVE}, {@code SO_RCVBUF} or {@code SO_SNDBUF} of
     * {@link java.net.StandardSocketOptions}, {@code TCP_KEEPIDLE}, {@code TCP_KEEPINTERVAL} or {@code TCP_KEEPCOUNT} of
     * {@code jdk.net.ExtendedSocketOptions}. The kernel may cap the size of a buffer without a word (net.core.rmem_max,
     * net.core.wmem_max).
     *
     * @throws UnsupportedOperationException naming those there are, when it is another
     * @throws IllegalArgumentException when the value is negative
     * @throws UncheckedIOException when the kernel refuses the value
     */
    public <T> void setOption(SocketOption<T> option, T value) {
        Objects.requireNonNull(option, "option");
        Objects.requireNonNull(value, "value");
        requireDescriptor("set its options");
        SocketSetting setting = SocketSetting.of(option);
        loop.setOption(fd, setting, setting.number(value));
    }

    /** The value of an option of the socket, as {@link #setOption} takes it; asks the kernel each time. */
    public <T> T option(SocketOption<T> option) {
        Objects.requireNonNull(option, "option");
        requireDescriptor("ask for its options");
        SocketSetting setting = SocketSetting.of(option);
        return option.type().cast(setting.value(loop.option(fd, setting)));
    }

    private void requireDescriptor(String what) {
        loop.requireLoopThread();
        if (ending.descriptorGone()) {
            throw new IllegalStateException("the connection is closed: " + what + " before");
        }
    }

    // ---- what the loop and the two halves call

    int fd() {
        return fd;
    }

    /** The loop's flush: input held back goes on, output is staged, an end proceeds. */
    void flush() {
        if (!ending.stopping()) {
            if (ending.open()) {
                input.proceed();
            }
            output.flush(drainedOwed || ending.begun() || input.throttled());
        }
        if (ending.begun()) {
            ending.settle();
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
        if (ending.takes(result)) {
            return;
        }
        if (!output.empty() || ending.begun()) {
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
        if (drainedOwed && ending.open()) {
            drainedOwed = false;
            try {
                handler.drained(this);
            } catch (Throwable thrown) {
                handlerThrew(thrown);
            }
        }
    }

    /**
     * Whether the peer has reset the connection while output waits. The kernel tells that once, to the call that meets it
     * first; when that is a send that had taken some bytes and reports those, a receive looks like the end in order.
     */
    boolean resetUnseen() {
        if (output.empty()) {
            return false;
        }
        // The state is the first byte of struct tcp_info; an int is as much of it as the kernel is asked for.
        int info = loop.sockets().option(fd, Inet.IPPROTO_TCP, Tcp.TCP_INFO);
        return info >= 0 && (info & 0xff) == Tcp.TCP_CLOSE;
    }

    void failed(String attempted, int result) {
        ending.failed(attempted, result);
    }

    private void handlerThrew(Throwable thrown) {
        loop.handlerFailed(thrown);
        ending.fail(thrown, true);
    }

    /** The loop is dying of a mistake. */
    void fail(Throwable cause) {
        ending.fail(cause, true);
    }

    /** The loop is dead, and no completion will come. */
    void abandon(Throwable cause) {
        ending.abandon(cause);
    }

    /** Something that the end may wait for has ended. */
    void settle() {
        ending.settle();
    }

    /** The descriptor is closed. */
    void ended(@Nullable Throwable cause) {
        loop.remove(this);
        try {
            handler.closed(this, cause);
        } catch (Throwable thrown) {
            loop.handlerFailed(thrown);
        }
    }

    @Override
    public String toString() {
        return "connection " + id + " (fd " + fd + ", " + ending + ")";
    }
}
