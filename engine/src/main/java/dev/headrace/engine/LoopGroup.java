package dev.headrace.engine;

import dev.headrace.engine.driver.Capabilities;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A number of loops on one backend: where a service begins.
 *
 * <p>Thread: any. Owns: the loops, their threads and listeners, until {@link #close}.
 */
public final class LoopGroup implements AutoCloseable {
    /** What an aborted connection may take until its descriptor is closed. */
    private static final Duration ABORT_GRACE = Duration.ofSeconds(5);

    private final EngineOptions options;
    private final Supplier<World> worlds;
    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ConnectionIds ids = new ConnectionIds();
    private final AtomicInteger placed = new AtomicInteger();
    private final AtomicBoolean shutDown = new AtomicBoolean();

    private LoopGroup(EngineOptions options, Supplier<World> worlds) {
        this.options = options;
        this.worlds = worlds;
    }

    /**
     * Opens the loops, each on a platform thread of its own.
     *
     * @throws BackendUnavailableException with cause and remedy when the backend cannot be used here
     */
    public static LoopGroup open(EngineOptions options) throws IOException {
        String because = options.backend().unavailableBecause();
        if (because != null) {
            throw new BackendUnavailableException(options.backend(), because);
        }
        LoopGroup group = open(options, World::real);
        String missing = group.capabilities().missing();
        if (!missing.isEmpty()) {
            LoopLog.infoOnce("backend " + options.backend().id() + " does without " + missing);
        }
        return group;
    }

    /**
     * As {@link #open(EngineOptions)}, in a world of the caller's.
     *
     * @param worlds asked once by each loop, on its thread, and by each thread that opens a listener
     * @throws IOException with cause and remedy when a loop cannot be opened
     */
    public static LoopGroup open(EngineOptions options, Supplier<World> worlds) throws IOException {
        LoopGroup group = new LoopGroup(options, worlds);
        try {
            for (int i = 0; i < options.loops(); i++) {
                group.startLoop(i);
            }
        } catch (IOException e) {
            group.close();
            throw e;
        }
        return group;
    }

    /**
     * A group of one loop that the calling thread runs itself, by {@link #run}; between the two nothing moves.
     *
     * @throws IOException with cause and remedy when the loop cannot be opened
     */
    public static LoopGroup onThisThread(EngineOptions options, Supplier<World> worlds) throws IOException {
        LoopGroup group = new LoopGroup(options, worlds);
        group.loops.add(new Loop(options, group.world(), group.ids));
        return group;
    }

    /**
     * Runs the loop of a group that was opened {@linkplain #onThisThread on this thread}, until the group is shut down and
     * its last connection closed.
     *
     * @throws IllegalStateException when the loops of this group have threads of their own, or on another thread
     */
    public void run() {
        Loop loop = loops.getFirst();
        if (!loop.inLoop()) {
            throw new IllegalStateException("the loop belongs to another thread, which runs it");
        }
        live(loop);
    }

    private void startLoop(int index) throws IOException {
        CompletableFuture<Loop> opened = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform()
                .name(options.threadName() + "-" + index)
                .daemon(false)
                .unstarted(() -> live(index, opened));
        thread.start();
        try {
            loops.add(opened.get());
            threads.add(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the loops were opened");
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException("cannot open a loop: " + cause.getMessage(), cause);
        }
    }

    private void live(int index, CompletableFuture<Loop> opened) {
        Loop loop;
        try {
            // Before the loop has memory of its own, which then lies near its CPU.
            if (!options.cpus().isEmpty()) {
                Pinning.pin(options.cpus().get(index % options.cpus().size()));
            }
            loop = new Loop(options, world(), ids);
        } catch (Throwable thrown) {
            opened.completeExceptionally(thrown);
            return;
        }
        opened.complete(loop);
        live(loop);
    }

    private void live(Loop loop) {
        try {
            loop.run();
        } catch (Throwable thrown) {
            died(loop, thrown);
        }
    }

    /** The world as the calling thread sees it. */
    World world() {
        return worlds.get();
    }

    private void died(Loop loop, Throwable cause) {
        LoopLog.error(Thread.currentThread().getName() + " died; its connections are ended, other loops go on", cause);
        try {
            loop.die(cause);
        } finally {
            listeners.forEach(listener -> listener.loopDied(loop));
        }
    }

    /**
     * Listens on an address; port 0 lets the kernel pick one.
     *
     * @param handlers makes the handler of each connection, on the loop where it lives
     * @throws IOException naming the address and what is wrong with it
     * @throws IllegalStateException when the group is shut down, or every loop has died, with the cause
     */
    public Listener listen(InetSocketAddress address, Function<Connection, ConnectionHandler> handlers)
            throws IOException {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(handlers, "handlers");
        requireOpen();
        List<Loop> accepting = alive();
        if (options.listeners() == ListenerPlacement.SHARED) {
            accepting = accepting.subList(0, 1);
        }
        List<ListeningSocket> sockets = ListeningSocket.open(address, accepting.size(), options, world());
        Listener listener = new Listener(this, sockets.getFirst().address(), handlers);
        listeners.add(listener);
        for (int i = 0; i < sockets.size(); i++) {
            listener.start(accepting.get(i), sockets.get(i));
        }
        if (shutDown.get()) {
            // Shut down meanwhile: whoever did it may have missed this one.
            listener.close();
        }
        return listener;
    }

    void forget(Listener listener) {
        listeners.remove(listener);
    }

    /**
     * Connects to an address, on the loop whose turn it is; returns at once.
     *
     * @param handlers makes the handler once the connection is there
     * @param failure is told when it cannot be made, or not within the time of the options
     */
    public ConnectAttempt connect(
            InetSocketAddress address, Function<Connection, ConnectionHandler> handlers, ConnectFailure failure) {
        requireOpen();
        for (Loop loop = nextAlive(); loop != null; loop = nextAlive()) {
            Connecting attempt = new Connecting(loop, address, handlers, failure);
            try {
                loop.execute(attempt::start);
                return attempt;
            } catch (RejectedExecutionException e) {
                requireOpen();
                // It has died meanwhile: the next one may live.
            }
        }
        throw noneAlive();
    }

    int loopCount() {
        return loops.size();
    }

    /** The loop whose turn it is; null when all have died. */
    @Nullable
    Loop nextAlive() {
        int count = loops.size();
        for (int i = 0; i < count; i++) {
            Loop loop = loops.get(Math.floorMod(placed.getAndIncrement(), count));
            if (loop.failure() == null) {
                return loop;
            }
        }
        return null;
    }

    private List<Loop> alive() {
        List<Loop> alive = loops.stream().filter(loop -> loop.failure() == null).toList();
        if (alive.isEmpty()) {
            throw noneAlive();
        }
        return alive;
    }

    private IllegalStateException noneAlive() {
        Throwable cause = loops.getLast().failure();
        return new IllegalStateException("every loop of the group has died, the last of " + cause, cause);
    }

    private void requireOpen() {
        if (shutDown.get()) {
            throw new IllegalStateException("the loop group is shut down");
        }
    }

    /** All loops, those that have died included: see {@link Loop#failure}. */
    public List<Loop> loops() {
        return List.copyOf(loops);
    }

    public Backend backend() {
        return options.backend();
    }

    public EngineOptions options() {
        return options;
    }

    /** What the drivers use of this kernel. */
    public Capabilities capabilities() {
        return loops.getFirst().driver().capabilities();
    }

    /**
     * Stops accepting, closes every connection in order, aborts what is left after the grace, and ends the loops.
     *
     * @return whether nothing had to be aborted
     * @throws IllegalStateException on the thread of one of the loops, which would wait for itself
     */
    public boolean shutdown(Duration grace) {
        if (loops.stream().anyMatch(Loop::inLoop)) {
            throw new IllegalStateException("a loop cannot wait for its own end: shut down from another thread");
        }
        if (!beginShutdown()) {
            return join(EngineOptions.nanos(grace) + ABORT_GRACE.toNanos());
        }
        if (join(EngineOptions.nanos(grace))) {
            return true;
        }
        abortConnections();
        if (!join(ABORT_GRACE.toNanos())) {
            LoopLog.warn("a loop did not end; it may be blocked in a handler");
        }
        return false;
    }

    /**
     * Stops accepting and closes every connection in order, without waiting for it; any thread. The first call decides.
     *
     * @return whether this was it
     */
    public boolean beginShutdown() {
        if (!shutDown.compareAndSet(false, true)) {
            return false;
        }
        listeners.forEach(Listener::close);
        loops.forEach(loop -> tell(loop, loop::closeConnections));
        return true;
    }

    /** After {@link #beginShutdown}: aborts what has not ended yet. Any thread. */
    public void abortConnections() {
        loops.forEach(loop -> tell(loop, loop::abortConnections));
    }

    private static void tell(Loop loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // It has ended already.
        }
    }

    /** As {@link #shutdown} with the grace of the options. */
    @Override
    public void close() {
        shutdown(options.shutdownGrace());
    }

    private boolean join(long limitNanos) {
        long deadlineNanos = System.nanoTime() + limitNanos;
        boolean ended = true;
        for (Thread thread : threads) {
            long leftNanos = Math.max(1, deadlineNanos - System.nanoTime());
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, leftNanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            ended &= !thread.isAlive();
        }
        return ended;
    }
}
