package dev.headrace.difference;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Where a scenario is played: a loop group, the connections with both their sides, and patience with a limit. */
final class Stage implements AutoCloseable {
    private static final long STEP_SECONDS_MAX = 10;
    private static final long LOOK_AGAIN_NANOS = 20_000;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    /** A port that is reserved for a service that nobody runs any more. */
    private static final InetSocketAddress NOBODY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    /** A connection with both its sides. */
    static final class Part {
        final Actor actor;
        final Client client;
        /** All that the client has sent. */
        long sent;

        boolean paused;
        /** The client has finished its output. */
        boolean finished;

        private Part(Actor actor, Client client) {
            this.actor = actor;
            this.client = client;
        }

        Connection connection() {
            return actor.connection();
        }
    }

    /** What is waited for. */
    interface Condition {
        boolean holds() throws IOException;
    }

    private final Trace trace = new Trace();
    private final LoopGroup group;
    private final Listener listener;
    private final ServerSocketChannel outside;
    private final List<Part> parts = new ArrayList<>();
    private volatile @Nullable Actor next;

    Stage(EngineOptions options) throws IOException {
        group = LoopGroup.open(options);
        try {
            listener = group.listen(ANY_PORT, connection -> next());
            outside = ServerSocketChannel.open().bind(ANY_PORT);
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    private ConnectionHandler next() {
        return Objects.requireNonNull(next, "nobody has connected");
    }

    Trace trace() {
        return trace;
    }

    List<String> linesAnd(String last) {
        List<String> lines = trace.lines();
        lines.add(last);
        return lines;
    }

    Part part(int index) {
        return parts.get(index);
    }

    private Trace.Log log(String side) {
        return trace.log("connection %02d %s".formatted(parts.size(), side));
    }

    void connect(boolean echoes) throws IOException {
        Actor actor = new Actor(echoes, log("server"));
        next = actor;
        Client client = Client.to(listener.address(), log("client"));
        parts.add(new Part(actor, client));
        await("the connection", actor::opened);
    }

    void reach() throws IOException {
        Actor actor = new Actor(true, log("server"));
        InetSocketAddress address = (InetSocketAddress) outside.getLocalAddress();
        group.connect(address, connection -> actor, (to, cause) -> actor.log().add(Actor.inWords(cause)));
        Client client = Client.of(outside.accept(), log("client"));
        parts.add(new Part(actor, client));
        await("the connection", actor::opened);
    }

    void reachNobody() throws IOException {
        Trace.Log log = trace.log("nobody");
        AtomicBoolean failed = new AtomicBoolean();
        Actor actor = new Actor(true, log);
        group.connect(NOBODY, connection -> actor, (to, cause) -> {
            log.add(Actor.inWords(cause));
            failed.set(true);
        });
        await("the refusal", failed::get);
    }

    // ---- waiting

    void await(String what, Condition condition) throws IOException {
        long from = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(STEP_SECONDS_MAX)) {
                throw new AssertionError("within " + STEP_SECONDS_MAX + " s there was not: " + what);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    static void pass(long nanos) {
        long from = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - from)) {
            LockSupport.parkNanos(left);
        }
    }

    <T> T call(Part part, Callable<T> task) {
        return call(part.connection().loop(), task);
    }

    void run(Part part, Runnable task) {
        call(part, () -> {
            task.run();
            return true;
        });
    }

    private static <T> T call(Loop loop, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        return get(result);
    }

    private static <T> T get(CompletableFuture<T> result) {
        try {
            return result.get(STEP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("the loop did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Lets every loop finish what it has begun: some turns. */
    void settle() {
        for (int i = 0; i < 3; i++) {
            group.loops().forEach(loop -> call(loop, () -> true));
        }
    }

    // ---- the end

    /** Every client sees the end and leaves; whether nobody had to be forced. */
    boolean shutDown() throws IOException {
        for (Part part : parts) {
            // These have seen the end before: now or after the shutdown they leave, but not just when it begins.
            if (part.client.over() && !part.actor.closed()) {
                part.client.close();
                await("the end of the input", () -> part.paused || part.actor.inputEnded());
            }
        }
        CompletableFuture<Boolean> inOrder =
                CompletableFuture.supplyAsync(() -> group.shutdown(Duration.ofSeconds(STEP_SECONDS_MAX / 2)));
        await("the end of the group", () -> {
            for (Part part : parts) {
                part.client.receiveUnnoted();
                if (part.client.over()) {
                    part.client.close();
                }
            }
            return inOrder.isDone();
        });
        for (Part part : parts) {
            await("the last call", part.actor::closed);
        }
        return get(inOrder);
    }

    @Override
    public void close() throws IOException {
        for (Part part : parts) {
            part.client.close();
        }
        outside.close();
        group.shutdown(Duration.ofMillis(500));
    }
}
