package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.socket.SocketAddresses;
import java.net.InetSocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections on one address and has each placed on a loop for life.
 *
 * <p>When descriptors or memory run out, accepting pauses with back-off and is tried again: arming it at once would spin,
 * since the connection that could not be accepted still waits.
 *
 * <p>Thread: {@link #close}, {@link #address} and {@link #accepted} any. Owns: the listening socket.
 */
public final class Listener implements OperationOwner, AutoCloseable {
    private static final long PAUSE_MIN_NANOS = 10_000_000L;
    private static final long PAUSE_MAX_NANOS = 1_000_000_000L;
    private static final long LOG_INTERVAL_NANOS = 10_000_000_000L;

    private final Loop loop;
    private final int fd;
    private final InetSocketAddress address;
    private final Function<Connection, ConnectionHandler> handlers;
    private final Supplier<Loop> placement;
    private final Operation accept = new Operation(this);
    private final AtomicLong accepted = new AtomicLong();
    private long pauseNanos = PAUSE_MIN_NANOS;
    private long loggedNanos;
    private boolean logged;
    private @Nullable Timer pause;
    private boolean closing;
    private boolean closeStaged;

    Listener(
            Loop loop,
            int fd,
            InetSocketAddress address,
            Function<Connection, ConnectionHandler> handlers,
            Supplier<Loop> placement) {
        this.loop = loop;
        this.fd = fd;
        this.address = address;
        this.handlers = handlers;
        this.placement = placement;
    }

    /** On the loop's thread. */
    void start() {
        loop.tenants().listenerMovedIn();
        arm();
    }

    /** The address in use, with the port that the kernel picked if none was given. */
    public InetSocketAddress address() {
        return address;
    }

    /** Connections accepted so far. */
    public long accepted() {
        return accepted.get();
    }

    /** Stops accepting and closes the socket; connections already accepted go on. */
    @Override
    public void close() {
        try {
            loop.execute(this::stop);
        } catch (RejectedExecutionException e) {
            // The loop ends after its listeners: it is closed.
        }
    }

    private void stop() {
        if (closing) {
            return;
        }
        closing = true;
        if (pause != null) {
            pause.cancel();
        }
        loop.driver().cancel(accept);
        settle();
    }

    private void arm() {
        if (!closing && accept.idle()) {
            loop.driver().stage(accept.prepareAccept(fd));
        }
    }

    private void settle() {
        if (closing && accept.idle() && !closeStaged) {
            closeStaged = true;
            loop.driver().stage(accept.prepareClose(fd));
        }
    }

    @Override
    public void completed(Operation operation, int result, boolean more, int bufferId) {
        if (closeStaged) {
            loop.tenants().listenerMovedOut();
            return;
        }
        if (result >= 0) {
            pauseNanos = PAUSE_MIN_NANOS;
            accepted.lazySet(accepted.get() + 1);
            place(result);
        }
        if (more) {
            return;
        }
        if (closing) {
            settle();
        } else if (outOfResources(result)) {
            pause(result);
        } else {
            // A connection that was reset while it waited, an interruption: the listener itself is fine.
            arm();
        }
    }

    private void place(int descriptor) {
        Loop target = placement.get();
        if (target == loop) {
            loop.adopt(descriptor, handlers);
        } else {
            handOver(descriptor, target);
        }
    }

    private void handOver(int descriptor, Loop target) {
        try {
            target.execute(() -> target.adopt(descriptor, handlers));
        } catch (RejectedExecutionException e) {
            // That loop has been shut down and ended; this one is about to.
            loop.sockets().close(descriptor);
        }
    }

    private static boolean outOfResources(int result) {
        return switch (-result) {
            case Errno.EMFILE, Errno.ENFILE, Errno.ENOBUFS, Errno.ENOMEM, Errno.EBADF, Errno.EINVAL, Errno.ENOTSOCK ->
                true;
            default -> false;
        };
    }

    private void pause(int result) {
        loop.counters().increment(Counter.ACCEPT_PAUSES);
        pause = loop.schedule(pauseNanos, this::arm);
        pauseNanos = Math.min(pauseNanos * 2, PAUSE_MAX_NANOS);
        long now = System.nanoTime();
        if (!logged || now - loggedNanos > LOG_INTERVAL_NANOS) {
            logged = true;
            loggedNanos = now;
            LoopLog.warn("accepting on " + SocketAddresses.inWords(address) + " pauses: " + Errno.describe(-result));
        }
    }
}
