package dev.headrace.lab.workload.echo;

import dev.headrace.engine.Loop;
import dev.headrace.lab.workload.ErrorKind;
import dev.headrace.lab.workload.LoadErrors;
import dev.headrace.lab.workload.LoadShape;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A closed-loop load on an echo server: every connection keeps its messages in flight and sends the next one when an
 * answer has come. It opens its connections once, and can then be started and stopped as often as wanted.
 *
 * <p>Latency runs from handing a message to the engine until its last byte is back. As the next message waits for the
 * answer, a server that stalls is asked less often: percentiles hide it (coordinated omission).
 *
 * <p>Thread: the loop's, all methods; the constructor anywhere. Owns: its connections, and the histogram of the present
 * window.
 */
public final class EchoLoad {
    /** The largest piece of a message that is prepared at once. */
    static final int CHUNK_BYTES = 16 * 1024;

    /** Few enough for any server's accept queue. */
    private static final int CONNECTING_MAX = 64;
    /** After so many failures without one success the others would fail as well. */
    private static final int HOPELESS_FAILURES = 16;

    private static final long LATENCY_MAX_NANOS = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;
    private static final long WATCH_NANOS = 500_000_000L;

    private final Loop loop;
    private final InetSocketAddress target;
    private final LoadShape shape;
    private final long timeoutNanos;
    private final byte[] scratch = new byte[MessagePattern.arraySizeBytes(CHUNK_BYTES)];
    private final List<EchoClient> clients;
    private final LoadErrors errors = new LoadErrors();
    private final Histogram latency = new Histogram(1, LATENCY_MAX_NANOS, LATENCY_DIGITS);

    private int attempts;
    private int connecting;
    private boolean connectingMore;
    private int connectFailures;
    private int open;
    private long connectDeadlineNanos;
    private @Nullable Runnable whenOpened;

    private boolean running;
    private boolean closed;
    private long messages;
    private long outstanding;
    private @Nullable Runnable whenIdle;

    public EchoLoad(Loop loop, InetSocketAddress target, LoadShape shape, Duration answerTimeout) {
        this.loop = loop;
        this.target = target;
        this.shape = shape;
        this.timeoutNanos = answerTimeout.toNanos();
        this.clients = new ArrayList<>(shape.connections());
    }

    /**
     * Connects, and runs {@code opened} when every attempt has succeeded or failed; {@link #openConnections} and
     * {@link #errors} tell which.
     */
    public void open(Runnable opened) {
        assert attempts == 0 : "opened twice";
        whenOpened = opened;
        connectDeadlineNanos = System.nanoTime() + timeoutNanos;
        loop.schedule(WATCH_NANOS, this::watch);
        connectMore();
    }

    private void connectMore() {
        if (connectingMore) {
            return; // a connect that fails at once comes back here: the loop below goes on
        }
        connectingMore = true;
        while (connecting < CONNECTING_MAX && attempts < shape.connections() && !hopeless()) {
            EchoClient client = new EchoClient(this, attempts++);
            connecting++;
            loop.connect(target, connection -> client, this::connectFailed);
        }
        connectingMore = false;
        tellOpened();
    }

    private boolean hopeless() {
        return closed || (open == 0 && connectFailures >= HOPELESS_FAILURES);
    }

    private void tellOpened() {
        Runnable opened = whenOpened;
        if (opened != null && connecting == 0 && (attempts == shape.connections() || hopeless())) {
            whenOpened = null;
            opened.run();
        }
    }

    void connected(EchoClient client) {
        if (closed || whenOpened == null) {
            open++;
            client.end(); // too late: nobody waits for it any more
            return;
        }
        clients.add(client);
        open++;
        connecting--;
        connectDeadlineNanos = System.nanoTime() + timeoutNanos;
        connectMore();
    }

    private void connectFailed(InetSocketAddress address, IOException cause) {
        if (closed || whenOpened == null) {
            return;
        }
        String message = cause.getMessage();
        errors.add(ErrorKind.CONNECT, message == null ? cause.toString() : message);
        connectFailures++;
        connecting--;
        connectMore();
    }

    /** Bounds the waiting for answers and for connections. */
    private void watch() {
        if (closed) {
            return;
        }
        long nowNanos = System.nanoTime();
        if (whenOpened != null && connecting > 0 && nowNanos - connectDeadlineNanos > 0) {
            for (int i = 0; i < connecting; i++) {
                errors.add(ErrorKind.TIMEOUT, "no connection within " + timeoutNanos / 1_000_000_000L + " s");
            }
            connecting = 0;
            attempts = shape.connections();
            tellOpened();
        }
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).expire(nowNanos, timeoutNanos);
        }
        loop.schedule(WATCH_NANOS, this::watch);
    }

    /** Lets the active connections send. They are spread evenly, as no server has its busy connections in a row. */
    public void start() {
        running = true;
        long nowNanos = System.nanoTime();
        int active = Math.min(shape.active(), clients.size());
        for (int i = 0; i < active; i++) {
            clients.get((int) ((long) i * clients.size() / active)).start(nowNanos);
        }
    }

    /** Sends nothing new, and runs {@code idle} when every message in flight has been answered or given up. */
    public void stop(Runnable idle) {
        running = false;
        whenIdle = idle;
        tellIdle();
    }

    private void tellIdle() {
        Runnable idle = whenIdle;
        if (idle != null && outstanding == 0) {
            whenIdle = null;
            idle.run();
        }
    }

    /** Begins a new window: forgets the latencies so far. Counts go on. */
    public void resetLatency() {
        latency.reset();
    }

    /** Aborts all connections. The load cannot be opened again. */
    public void close() {
        closed = true;
        running = false;
        clients.forEach(EchoClient::end);
        clients.clear();
    }

    /** Latencies, in nanoseconds, since the window began. */
    public Histogram latency() {
        return latency;
    }

    /** Messages answered in full and correctly since the load was opened. */
    public long messages() {
        return messages;
    }

    public int openConnections() {
        return open;
    }

    public LoadErrors errors() {
        return errors;
    }

    public LoadShape shape() {
        return shape;
    }

    boolean running() {
        return running;
    }

    byte[] scratch() {
        return scratch;
    }

    void started(int count) {
        outstanding += count;
    }

    void answered(long nanos) {
        messages++;
        latency.recordValue(Math.clamp(nanos, 1, LATENCY_MAX_NANOS));
    }

    void finished(int count) {
        outstanding -= count;
        tellIdle();
    }

    void ended(int lost) {
        open--;
        outstanding -= lost;
        tellIdle();
    }
}
