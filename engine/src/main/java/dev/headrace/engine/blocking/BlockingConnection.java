package dev.headrace.engine.blocking;

import dev.headrace.engine.ConnectAttempt;
import dev.headrace.engine.Connection;
import dev.headrace.engine.LoopGroup;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A connection as a thread that waits sees it: reads until there is something, writes until there is room.
 *
 * <p>Made for virtual threads, which cost next to nothing while they wait; the engine's loops move the bytes. What was
 * received and not read, and what was written and not sent, is bounded: a slow reader slows its peer down, a slow peer its
 * writer.
 *
 * <p>A wait ends with {@link InterruptedIOException} when its thread is interrupted (the thread stays so), and with
 * {@link java.net.SocketTimeoutException} when the time set for it is over; the connection remains usable after both.
 *
 * <p>Thread: any but the engine's loops; one may read while another writes. Owns: the connection, until {@link #close}.
 */
public final class BlockingConnection implements AutoCloseable {
    private final Exchange exchange;

    BlockingConnection(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * Connects, and waits for the outcome, no longer than the options of the group say.
     *
     * @throws IOException with the reason when the connection cannot be made
     * @throws InterruptedIOException when the thread is interrupted; the attempt is cancelled
     */
    public static BlockingConnection connect(LoopGroup group, InetSocketAddress address) throws IOException {
        Exchange.requireNotOnALoop(group);
        CompletableFuture<BlockingConnection> outcome = new CompletableFuture<>();
        ConnectAttempt attempt = group.connect(
                address,
                connection -> new Exchange(connection, outcome::complete),
                (to, cause) -> outcome.completeExceptionally(cause));
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            attempt.cancel();
            // It may have come up in the same moment.
            outcome.thenAccept(BlockingConnection::abort);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while connecting to " + address);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    /** As {@link #read(byte[], int, int)}, into a whole array. */
    public int read(byte[] to) throws IOException {
        return read(to, 0, to.length);
    }

    /**
     * Waits for bytes.
     *
     * @return how many were put into the array, at least one unless none were asked for; -1 at the end of the peer's output
     * @throws IOException when the connection was reset or closed, with the cause; bytes that came before are read first
     */
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        return exchange.read(to, offset, length);
    }

    /** As {@link #write(byte[], int, int)}, of a whole array. */
    public void write(byte[] from) throws IOException {
        write(from, 0, from.length);
    }

    /**
     * Writes all bytes, waiting while too many are on their way. They are sent at once; the array is the caller's again.
     *
     * @throws IOException when the connection was reset or closed, with the cause; some bytes may have been sent
     * @throws InterruptedIOException when the thread is interrupted; {@code bytesTransferred} of them are on their way
     */
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        exchange.write(from, offset, length);
    }

    /** Ends the output once everything written is sent; reading goes on. */
    public void shutdownOutput() throws IOException {
        exchange.shutdownOutput();
    }

    /** How long a read may wait; zero is for ever. */
    public void readTimeout(Duration timeout) {
        exchange.readTimeout(timeout);
    }

    /** How long a write may wait for room; zero is for ever. */
    public void writeTimeout(Duration timeout) {
        exchange.writeTimeout(timeout);
    }

    /** The peer's address, as it was when the connection was made. */
    public InetSocketAddress remoteAddress() {
        return exchange.remoteAddress();
    }

    /** The local address, as it was when the connection was made. */
    public InetSocketAddress localAddress() {
        return exchange.localAddress();
    }

    /** The connection underneath; its methods belong to its loop's thread. */
    public Connection connection() {
        return exchange.connection();
    }

    /** Ends at once: what is pending is dropped and the peer sees a reset. Reads and writes that wait fail. */
    public void abort() {
        exchange.abort();
    }

    /** For whoever failed on it: a close in order that is on its way goes on. */
    void abortUnlessClosed() {
        if (!exchange.closed()) {
            exchange.abort();
        }
    }

    /**
     * Closes in order, without waiting: what was written is still sent. Reads and writes that wait fail. Further calls do
     * nothing.
     */
    @Override
    public void close() {
        exchange.close();
    }

    @Override
    public String toString() {
        return "blocking " + exchange.connection();
    }
}
