package dev.headrace.testkit;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handler that remembers what it was told, for other threads to read, and checks the order of the calls. */
public class Recording implements ConnectionHandler {
    private static final long WAIT_SECONDS = 15;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Connection> opened = new CompletableFuture<>();
    private final CompletableFuture<Long> inputEndedAt = new CompletableFuture<>();
    private final CompletableFuture<Optional<Throwable>> closed = new CompletableFuture<>();
    private final CompletableFuture<Long> closedAt = new CompletableFuture<>();
    private final AtomicInteger drainedCount = new AtomicInteger();
    private final AtomicInteger receivedCount = new AtomicInteger();

    @Override
    public void opened(Connection connection) {
        check("opened", !opened.isDone());
        opened.complete(connection);
    }

    @Override
    public void received(Connection connection, Buffer data) {
        check("received", opened.isDone() && !inputEndedAt.isDone() && !closed.isDone());
        receivedCount.incrementAndGet();
        synchronized (bytes) {
            bytes.writeBytes(data.toArray());
        }
    }

    @Override
    public void inputEnded(Connection connection) {
        check("inputEnded", opened.isDone() && !inputEndedAt.isDone() && !closed.isDone());
        inputEndedAt.complete(System.nanoTime());
    }

    @Override
    public void drained(Connection connection) {
        check("drained", opened.isDone() && !closed.isDone());
        drainedCount.incrementAndGet();
    }

    @Override
    public void closed(Connection connection, @Nullable Throwable cause) {
        check("closed", opened.isDone() && !closed.isDone());
        closed.complete(Optional.ofNullable(cause));
        closedAt.complete(System.nanoTime());
    }

    private void check(String call, boolean allowed) {
        if (!allowed) {
            violations.add(call + " when it must not come: opened " + opened.isDone() + ", input ended "
                    + inputEndedAt.isDone() + ", closed " + closed.isDone());
        }
    }

    public Connection connection() {
        return soon(opened);
    }

    /** Waits for the peer's end. */
    public long inputEndedAtNanos() {
        return soon(inputEndedAt);
    }

    public boolean inputHasEnded() {
        return inputEndedAt.isDone();
    }

    public boolean hasClosed() {
        return closed.isDone();
    }

    /** Waits for the last call and tells its cause. */
    @Nullable
    public Throwable closedCause() {
        Throwable cause = soon(closed).orElse(null);
        requireNoViolation();
        return cause;
    }

    /** Waits for the last call and tells when it came. */
    public long closedAtNanos() {
        return soon(closedAt);
    }

    public int drainedCount() {
        return drainedCount.get();
    }

    public int receivedCount() {
        return receivedCount.get();
    }

    public byte[] receivedBytes() {
        synchronized (bytes) {
            return bytes.toByteArray();
        }
    }

    public int receivedLength() {
        synchronized (bytes) {
            return bytes.size();
        }
    }

    public void requireNoViolation() {
        if (!violations.isEmpty()) {
            throw new AssertionError(String.join("; ", violations));
        }
    }

    public static <T> T soon(CompletableFuture<T> future) {
        try {
            return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("did not happen within " + WAIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
