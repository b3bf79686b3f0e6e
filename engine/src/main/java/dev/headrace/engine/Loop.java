package dev.headrace.engine;

import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.socket.SocketAddresses;
import dev.headrace.engine.socket.SocketErrors;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thread, one driver, one clock: the place where connections live.
 *
 * <p>Thread: {@link #execute}, {@link #inLoop}, {@link #failure} and {@link #counters} any; everything else its own. Owns: the driver, the
 * buffer pools, and the connections placed on it.
 */
public final class Loop implements Executor {
    private static final int INBOX_TASKS_MAX = 4096;
    private static final long LAST_WAIT_NANOS = 20_000_000L;

    private final EngineOptions options;
    private final Thread thread;
    private final Counters counters = new Counters();
    private final Inbox inbox = new Inbox();
    private final Clock clock;
    private final Arena arena = Arena.ofShared();
    private final Sockets sockets;
    private final BufferPool receivePool;
    private final BufferPool outputPool;
    private final Driver driver;
    private final Completions completions;
    private final OperationPool operations = new OperationPool();
    private final Starvation starvation;
    private final TimerWheel timers;
    private final ConnectionIds ids;
    private final long sockaddr = arena.allocate(SockaddrStorage.SIZE, 8).address();

    private @Nullable GatherBlock blocks;
    private Connection[] changed = new Connection[64];
    private int changedCount;
    private final ArrayDeque<Connection> awaitingOutputBuffers = new ArrayDeque<>();
    private final Tenants tenants = new Tenants();

    private long nowNanos;
    private long awakeNanos;
    private boolean stopping;
    private boolean quietStaged;
    /** Records of the batch that have reached their owners; the rest is not lost when one throws. */
    private int dispatched;

    private boolean dying;
    private volatile @Nullable Throwable failure;

    /** Opens the driver; on the thread that will run the loop. */
    Loop(EngineOptions options, World world, ConnectionIds ids) throws IOException {
        LoopLog.prepare();
        this.clock = world.clock();
        this.sockets = world.sockets();
        this.nowNanos = clock.nanoTime();
        this.awakeNanos = nowNanos;
        this.options = options;
        this.ids = ids;
        this.thread = Thread.currentThread();
        this.receivePool = new BufferPool(options.receiveBuffers(), options.receiveBufferBytes(), this, thread);
        this.outputPool = new BufferPool(options.outputBuffers(), options.outputBufferBytes(), this, thread);
        this.starvation = new Starvation(receivePool);
        this.completions = new Completions(options.completionEntries());
        this.timers = new TimerWheel(nowNanos);
        try {
            Surroundings surroundings = new Surroundings(sockets, clock, world::openEventFd, receivePool, counters);
            this.driver = world.around(options.backend().open(world, surroundings, options));
        } catch (IOException e) {
            receivePool.close();
            outputPool.close();
            arena.close();
            throw e;
        }
    }

    // ---- the turn

    /** Turns until asked to stop and left by every tenant. */
    void run() {
        while (!stopping || !tenants.none()) {
            turn();
        }
        // A connection may have been handed over at the last moment: it is turned away, not forgotten.
        inbox.close();
        runInbox();
        while (!tenants.none()) {
            turn();
        }
        giveBack();
    }

    private void giveBack() {
        driver.close();
        receivePool.close();
        outputPool.close();
        arena.close();
    }

    /** The loop has thrown where nothing may: ends every tenant, and itself. Nothing is thrown from here. */
    void die(Throwable cause) {
        failure = cause;
        dying = true;
        stopping = true;
        inbox.close();
        Demise demise = new Demise(this, cause);
        if (demise.endTenants()) {
            demise.attempt(this::giveBack);
        } else {
            // Buffers and blocks stay mapped: the kernel may write to them until the last request has ended.
            demise.attempt(driver::close);
            demise.abandonTenants();
        }
        demise.attempt(this::runInbox);
    }

    /** A turn of a loop that is dying: what was left of the one that failed comes first. */
    void lastTurn() {
        dispatch();
        turn();
    }

    private void turn() {
        nowNanos = clock.nanoTime();
        expireTimers();
        runInbox();
        flush();
        awaitCompletions();
        dispatch();
    }

    private void expireTimers() {
        for (Timer timer = timers.expire(nowNanos); timer != null; timer = timers.expire(nowNanos)) {
            run(timer.task);
        }
    }

    private void runInbox() {
        // Tasks that add tasks do not keep the loop from its connections for ever; once closed, it is to be emptied.
        for (int i = 0; i < INBOX_TASKS_MAX || inbox.closed(); i++) {
            Runnable task = inbox.poll();
            if (task == null) {
                return;
            }
            run(task);
        }
    }

    private void flush() {
        starvation.relieve();
        relieveOutput();
        quietStaged = false;
        // A connection may be changed again by its own flush; it settles after a few rounds.
        for (int i = 0; i < changedCount; i++) {
            Connection connection = changed[i];
            connection.changed = false;
            connection.flush();
        }
        changedCount = 0;
    }

    private void awaitCompletions() {
        long waitNanos = waitNanos();
        if (waitNanos != 0 && !inbox.fallAsleep()) {
            waitNanos = 0;
        }
        counters.max(Counter.LONGEST_TURN_NANOS, clock.nanoTime() - awakeNanos);
        completions.clear();
        dispatched = 0;
        driver.turn(waitNanos, completions);
        inbox.awake();
        awakeNanos = clock.nanoTime();
        counters.increment(Counter.TURNS);
    }

    private long waitNanos() {
        boolean ending = stopping && tenants.none();
        // A quiet send may hold the very buffer that somebody came to need later in the same flush.
        boolean buffersReturn = quietStaged && buffersAreAwaited();
        if (ending || buffersReturn || starvation.relievable()) {
            return 0;
        }
        return dying ? LAST_WAIT_NANOS : timers.delayNanos(nowNanos);
    }

    private void dispatch() {
        int count = completions.count();
        int next = dispatched;
        counters.add(Counter.COMPLETIONS, count - next);
        try {
            while (next < count) {
                int i = next++;
                var operation = completions.operation(i);
                operation
                        .owner()
                        .completed(operation, completions.result(i), completions.more(i), completions.bufferId(i));
            }
        } finally {
            dispatched = next;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable thrown) {
            handlerFailed(thrown);
        }
    }

    // ---- for users

    /**
     * Runs a task on the loop's thread, in the next turn. Any thread.
     *
     * @throws RejectedExecutionException when the loop has ended, with the cause when it has died
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        try {
            if (inbox.add(task) && !inLoop()) {
                driver.wake();
            }
        } catch (RejectedExecutionException e) {
            throw failure == null ? e : new RejectedExecutionException("the loop has died", failure);
        }
    }

    /**
     * What the loop died of, a mistake in the engine or an error of the virtual machine; null while it lives and after an end
     * in order. Its connections were told, and the group goes on without it. Any thread.
     */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** Whether the caller is on the loop's thread. */
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    /** The time at which the present turn began, on the clock of {@link System#nanoTime}. */
    public long nanoTime() {
        return nowNanos;
    }

    /** Runs a task on the loop once the delay is over, to the millisecond. */
    public Timer schedule(long delayNanos, Runnable task) {
        requireLoopThread();
        Objects.requireNonNull(task, "task");
        return timers.schedule(clock.nanoTime(), delayNanos, task);
    }

    /**
     * Connects to an address; the connection lives on this loop.
     *
     * @param handlers makes the handler once the connection is there
     * @param failure is told when it cannot be made; it may be before this returns
     */
    public ConnectAttempt connect(
            InetSocketAddress address, Function<Connection, ConnectionHandler> handlers, ConnectFailure failure) {
        requireLoopThread();
        Connecting attempt = new Connecting(this, address, handlers, failure);
        attempt.start();
        return attempt;
    }

    /** What the loop has counted. Any thread. */
    public Counters counters() {
        return counters;
    }

    /** Buffers that somebody holds: handlers that retained them, and output that is not sent. The loop's thread alone. */
    public int buffersInUse() {
        requireLoopThread();
        return receivePool.count() - receivePool.receivable() + outputPool.count() - outputPool.freeCount();
    }

    /** Bytes of address space mapped for buffers. Any thread. */
    public long bufferBytesMapped() {
        return receivePool.mappedBytes() + outputPool.mappedBytes();
    }

    // ---- for connections, listeners and groups

    /** Takes a connected descriptor in. */
    void adopt(int fd, Function<Connection, ConnectionHandler> handlers) {
        if (stopping) {
            sockets.close(fd);
            return;
        }
        Connection connection = new Connection(this, fd, ids.next());
        tenants.moveIn(connection);
        counters.increment(Counter.CONNECTIONS_OPENED);
        connection.begin(handlers);
    }

    void remove(Connection connection) {
        tenants.moveOut(connection);
        counters.increment(Counter.CONNECTIONS_CLOSED);
    }

    boolean stopping() {
        return stopping;
    }

    /** Why nothing new begins on the loop, in words. */
    String endedBecause() {
        return dying ? "the loop has died: " + failure : "given up: the loop group is shut down";
    }

    Tenants tenants() {
        return tenants;
    }

    /** The connection has something to flush or to settle. */
    void changed(Connection connection) {
        if (!connection.changed) {
            connection.changed = true;
            if (changedCount == changed.length) {
                changed = Arrays.copyOf(changed, changedCount * 2);
            }
            changed[changedCount++] = connection;
        }
    }

    /** No new connections from here on, attempts are given up, and the present connections end in order. */
    void closeConnections() {
        stopping = true;
        tenants.close(endedBecause());
    }

    void abortConnections() {
        stopping = true;
        tenants.abort();
    }

    void awaitOutputBuffers(Connection connection) {
        awaitingOutputBuffers.add(connection);
    }

    /** A send that nobody waits for is on its way. */
    void stagedQuietly() {
        quietStaged = true;
    }

    /** Somebody waits for a buffer that a send may hold: its end must not wait for the next event. */
    boolean buffersAreAwaited() {
        return !starvation.isEmpty() || !awaitingOutputBuffers.isEmpty();
    }

    private void relieveOutput() {
        for (int i = awaitingOutputBuffers.size(); i > 0 && outputPool.freeCount() > 0; i--) {
            awaitingOutputBuffers.remove().outputBuffersReturned();
        }
    }

    GatherBlock borrowBlock() {
        GatherBlock block = blocks;
        if (block == null) {
            return new GatherBlock(arena).begin();
        }
        blocks = block.next;
        block.next = null;
        return block.begin();
    }

    void giveBackBlock(GatherBlock block) {
        block.next = blocks;
        blocks = block;
    }

    InetSocketAddress addressOf(int fd, boolean remote) {
        int result = remote ? sockets.remoteAddress(fd, sockaddr) : sockets.localAddress(fd, sockaddr);
        if (result < 0) {
            throw new UncheckedIOException(SocketErrors.exception("address of the connection", result));
        }
        return SocketAddresses.read(sockaddr);
    }

    void setOption(int fd, SocketSetting setting, int value) {
        int result = setting.write(sockets, fd, value);
        if (result < 0) {
            throw new UncheckedIOException(
                    SocketErrors.exception("set " + setting.optionName() + " to " + value, result));
        }
    }

    int option(int fd, SocketSetting setting) {
        int result = setting.read(sockets, fd);
        if (result < 0) {
            throw new UncheckedIOException(SocketErrors.exception("read " + setting.optionName(), result));
        }
        return result;
    }

    void requireLoopThread() {
        requireThread(thread);
    }

    /** Throws unless the caller is on the thread that owns what it called. */
    static void requireThread(Thread owner) {
        if (Thread.currentThread() != owner) {
            throw new IllegalStateException(
                    "called on thread '" + Thread.currentThread().getName() + "', but this belongs to '"
                            + owner.getName() + "': use loop.execute(...)");
        }
    }

    void handlerFailed(Throwable thrown) {
        counters.increment(Counter.HANDLER_FAILURES);
        LoopLog.warn("a handler or task threw", thrown);
    }

    EngineOptions options() {
        return options;
    }

    Driver driver() {
        return driver;
    }

    Clock clock() {
        return clock;
    }

    Sockets sockets() {
        return sockets;
    }

    BufferPool receivePool() {
        return receivePool;
    }

    BufferPool outputPool() {
        return outputPool;
    }

    OperationPool operations() {
        return operations;
    }

    Starvation starvation() {
        return starvation;
    }
}
