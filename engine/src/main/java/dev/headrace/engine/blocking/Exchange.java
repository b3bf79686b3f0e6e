package dev.headrace.engine.blocking;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.buffer.Buffer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the loop and the threads that wait meet: two bounded queues under one lock, which is held for a copy at most.
 *
 * <p>Reading pauses while the queue of received bytes is above its mark; the loop takes written bytes out of the other as
 * far as the connection's watermark lets it.
 *
 * <p>Thread: the handler's methods and {@link #pump} the loop's; the rest any other. Owns: the queues.
 */
final class Exchange implements ConnectionHandler {
    private static final int QUEUE_BYTES = 64 << 10;
    private static final int RESUME_BYTES = QUEUE_BYTES / 2;
    private static final long CLOSE_PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Connection connection;
    private final Consumer<BlockingConnection> whenOpened;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();
    private final Condition writable = lock.newCondition();

    // ---- under the lock

    private final ByteQueue received = new ByteQueue();
    private final ByteQueue written = new ByteQueue();
    private boolean readingPaused;
    private boolean pumpQueued;
    private boolean closeLimited;
    private boolean inputEnded;
    private boolean outputShut;
    private boolean closed;
    private boolean over;
    private @Nullable Throwable cause;
    private long readNanos;
    private long writeNanos;

    private final @Nullable InetSocketAddress remoteAddress;
    private final @Nullable InetSocketAddress localAddress;

    /** On the loop's thread, as the connection begins. */
    Exchange(Connection connection, Consumer<BlockingConnection> whenOpened) {
        this.connection = connection;
        this.whenOpened = whenOpened;
        this.remoteAddress = addressOrNull(connection::remoteAddress);
        this.localAddress = addressOrNull(connection::localAddress);
    }

    /** A peer that has reset already has none any more. */
    private static @Nullable InetSocketAddress addressOrNull(Supplier<InetSocketAddress> address) {
        try {
            return address.get();
        } catch (UncheckedIOException e) {
            return null;
        }
    }

    static void requireNotOnALoop(LoopGroup group) {
        if (group.loops().stream().anyMatch(loop -> loop.inLoop())) {
            throw new IllegalStateException("a loop's thread must not wait: call this on a thread of your own");
        }
    }

    // ---- the loop's side

    @Override
    public void opened(Connection opened) {
        whenOpened.accept(new BlockingConnection(this));
    }

    @Override
    public void received(Connection from, Buffer data) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            int length = data.length();
            received.reserve(length);
            for (int done = 0; done < length; ) {
                int part = Math.min(length - done, received.contiguousRoom());
                data.copyTo(done, received.array(), received.tail(), part);
                received.added(part);
                done += part;
            }
            if (received.size() >= QUEUE_BYTES && !readingPaused) {
                readingPaused = true;
                connection.pauseReading();
            }
            readable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void inputEnded(Connection from) {
        lock.lock();
        try {
            inputEnded = true;
            readable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void drained(Connection from) {
        pump();
    }

    @Override
    public void closed(Connection from, @Nullable Throwable why) {
        lock.lock();
        try {
            over = true;
            cause = why;
            written.clear();
            readable.signalAll();
            writable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands written bytes to the connection, as many as it takes; then what was asked for behind them. */
    private void pump() {
        lock.lock();
        try {
            pumpQueued = false;
            if (over || !connection.open()) {
                return;
            }
            if (closed && readingPaused) {
                // Nobody reads any more; a peer that is stuck in its own output would not take ours.
                readingPaused = false;
                connection.resumeReading();
            }
            while (!written.isEmpty()) {
                int part = written.contiguous();
                int taken = connection.write(written.array(), written.head(), part);
                written.taken(taken);
                if (taken < part) {
                    // The connection tells when it has room.
                    break;
                }
            }
            if (written.size() < QUEUE_BYTES) {
                writable.signalAll();
            }
            if (written.isEmpty() && closed) {
                connection.close();
            } else if (closed) {
                limitClosing();
            } else if (written.isEmpty() && outputShut) {
                connection.shutdownOutput();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A peer that takes nothing of what was written before a close does not keep the connection for ever. */
    private void limitClosing() {
        if (!closeLimited) {
            closeLimited = true;
            int before = written.size();
            connection.loop().schedule(CLOSE_PROGRESS_NANOS, () -> closeLimitPassed(before));
        }
    }

    private void closeLimitPassed(int before) {
        lock.lock();
        try {
            closeLimited = false;
            if (!over && !written.isEmpty()) {
                if (written.size() == before) {
                    connection.abort();
                } else {
                    limitClosing();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- the side of those who wait

    int read(byte[] to, int offset, int length) throws IOException {
        requireNotOnLoop();
        lockInterruptibly("reading", 0);
        try {
            long leftNanos = readNanos;
            while (received.isEmpty() && length > 0) {
                if (closed) {
                    throw closedHere();
                }
                if (inputEnded) {
                    return -1;
                }
                if (over) {
                    throw failure();
                }
                leftNanos = await(readable, readNanos > 0, leftNanos, "reading: nothing came", 0);
            }
            if (closed) {
                throw closedHere();
            }
            int taken = received.take(to, offset, length);
            if (readingPaused && received.size() <= RESUME_BYTES) {
                readingPaused = false;
                tellLoop(connection::resumeReading);
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    void write(byte[] from, int offset, int length) throws IOException {
        requireNotOnLoop();
        lockInterruptibly("writing", 0);
        try {
            long leftNanos = writeNanos;
            int done = 0;
            while (true) {
                requireWritable();
                int part = Math.min(length - done, QUEUE_BYTES - written.size());
                if (part > 0) {
                    written.add(from, offset + done, part);
                    done += part;
                    queuePump();
                }
                if (done == length) {
                    return;
                }
                leftNanos = await(writable, writeNanos > 0, leftNanos, "writing: no room came", done);
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireWritable() throws IOException {
        if (closed) {
            throw closedHere();
        }
        if (over) {
            throw failure();
        }
        if (outputShut) {
            throw new SocketException("write after shutdownOutput");
        }
    }

    private void queuePump() throws IOException {
        if (!pumpQueued) {
            pumpQueued = true;
            if (!tellLoop(this::pump)) {
                throw failure();
            }
        }
    }

    /** Waits for a signal; tells what is left of the time. */
    @SuppressWarnings("WaitNotInLoop") // the callers look again
    private long await(Condition condition, boolean limited, long leftNanos, String doing, int done)
            throws InterruptedIOException {
        try {
            if (!limited) {
                condition.await();
                return 0;
            }
            if (leftNanos <= 0) {
                SocketTimeoutException late = new SocketTimeoutException(doing + " in time");
                late.bytesTransferred = done;
                throw late;
            }
            return condition.awaitNanos(leftNanos);
        } catch (InterruptedException e) {
            throw interrupted(doing, done);
        }
    }

    private void lockInterruptibly(String doing, int done) throws InterruptedIOException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted(doing, done);
        }
    }

    private static InterruptedIOException interrupted(String doing, int done) {
        Thread.currentThread().interrupt();
        InterruptedIOException exception = new InterruptedIOException("interrupted while " + doing);
        exception.bytesTransferred = done;
        return exception;
    }

    private static SocketException closedHere() {
        return new SocketException("the connection was closed by this side");
    }

    private IOException failure() {
        if (cause == null) {
            return new SocketException("the connection is closed");
        }
        IOException failure = new SocketException("the connection has failed: " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    private void requireNotOnLoop() {
        if (connection.loop().inLoop()) {
            throw new IllegalStateException("a loop's thread must not wait: call this on a thread of your own");
        }
    }

    void shutdownOutput() throws IOException {
        lock.lock();
        try {
            requireWritable();
            outputShut = true;
            queuePump();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            received.clear();
            readable.signalAll();
            writable.signalAll();
            if (!over) {
                tellLoop(this::pump);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    void abort() {
        lock.lock();
        try {
            closed = true;
            received.clear();
            written.clear();
            readable.signalAll();
            writable.signalAll();
        } finally {
            lock.unlock();
        }
        tellLoop(connection::abort);
    }

    /** Whether the loop will do it; one that has ended has told its connections so. */
    private boolean tellLoop(Runnable task) {
        try {
            connection.loop().execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    void readTimeout(Duration timeout) {
        long nanos = nanos(timeout);
        lock.lock();
        readNanos = nanos;
        lock.unlock();
    }

    void writeTimeout(Duration timeout) {
        long nanos = nanos(timeout);
        lock.lock();
        writeNanos = nanos;
        lock.unlock();
    }

    private static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("a time-out must not be negative, not " + timeout);
        }
        return TimeUnit.NANOSECONDS.convert(timeout);
    }

    Connection connection() {
        return connection;
    }

    InetSocketAddress remoteAddress() {
        return known(remoteAddress);
    }

    InetSocketAddress localAddress() {
        return known(localAddress);
    }

    private static InetSocketAddress known(@Nullable InetSocketAddress address) {
        if (address == null) {
            throw new IllegalStateException("the peer had reset the connection before its addresses were asked for");
        }
        return address;
    }
}
