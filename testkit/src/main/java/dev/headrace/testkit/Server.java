package dev.headrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A loop group under test that listens on a free port of the loopback interface. Closing it checks what must hold after
 * every test: the loops were alive, no completion was stale, and no thread is left.
 */
public final class Server implements AutoCloseable {
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Duration GRACE = Duration.ofMillis(100);

    private final LoopGroup group;
    private final Listener listener;
    private final String threadName;
    private boolean closed;

    private Server(LoopGroup group, Listener listener, String threadName) {
        this.group = group;
        this.listener = listener;
        this.threadName = threadName;
    }

    public static Server open(EngineOptions options, Function<Connection, ConnectionHandler> handlers)
            throws IOException {
        String threadName = "tested-" + NUMBERS.incrementAndGet();
        LoopGroup group = LoopGroup.open(options.withThreadName(threadName));
        try {
            return new Server(group, group.listen(anyPort(), handlers), threadName);
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    public static Server open(Setting setting, Function<Connection, ConnectionHandler> handlers) throws IOException {
        return open(setting.options(), handlers);
    }

    public static Server echo(Setting setting) throws IOException {
        return echo(setting.options());
    }

    public static Server echo(EngineOptions options) throws IOException {
        return open(options, connection -> Connection::write);
    }

    public static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Echoes, with everything else as by default. */
    public static class Echo extends Recording {
        @Override
        public void received(Connection connection, Buffer data) {
            super.received(connection, data);
            connection.write(data);
        }

        @Override
        public void inputEnded(Connection connection) {
            super.inputEnded(connection);
            connection.close();
        }
    }

    /** The handlers of a server, in the order in which the connections came. */
    public static final class Handlers<H extends ConnectionHandler> implements Function<Connection, ConnectionHandler> {
        private final LinkedBlockingQueue<H> made = new LinkedBlockingQueue<>();
        private final Callable<H> maker;

        public Handlers(Callable<H> maker) {
            this.maker = maker;
        }

        @Override
        public ConnectionHandler apply(Connection connection) {
            try {
                H handler = maker.call();
                made.add(handler);
                return handler;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        /** Waits for the handler of the next connection. */
        public H next() {
            try {
                H handler = made.poll(15, TimeUnit.SECONDS);
                if (handler == null) {
                    throw new AssertionError("no connection came");
                }
                return handler;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    public LoopGroup group() {
        return group;
    }

    public Listener listener() {
        return listener;
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    public Loop loop() {
        return group.loops().getFirst();
    }

    public Peer connect() throws IOException {
        return Peer.to(address());
    }

    /** Runs something on the first loop's thread and waits for its result. */
    public <T> T call(Callable<T> task) {
        return call(loop(), task);
    }

    public static <T> T call(Loop loop, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        return Recording.soon(result);
    }

    /** Runs something on the first loop's thread and waits for its end. */
    public void run(Runnable task) {
        call(() -> {
            task.run();
            return true;
        });
    }

    /** The sum over all loops. */
    public long count(Counter counter) {
        return group.loops().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        group.loops().forEach(loop -> call(loop, () -> true));
        group.shutdown(GRACE);
        requireEnded();
    }

    /** After a shutdown that the test made itself. */
    public void requireEnded() {
        closed = true;
        assertThat(count(Counter.STALE_COMPLETIONS)).as("stale completions").isZero();
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith(threadName + "-")))
                .as("threads of loops that did not end")
                .isEmpty();
    }
}
