package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.socket.SocketAddresses;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One listening socket on one loop: the standing accept of a {@link Listener}.
 *
 * <p>When descriptors or memory run out, accepting pauses with back-off and is tried again: arming it at once would spin,
 * since the connection that could not be accepted still waits.
 *
 * <p>Thread: the loop's, except {@link #accepted}. Owns: the listening socket, until it is closed or surrendered.
 */
final class Acceptor implements OperationOwner {
    private static final long PAUSE_MIN_NANOS = 10_000_000L;
    private static final long PAUSE_MAX_NANOS = 1_000_000_000L;
    private static final long LOG_INTERVAL_NANOS = 10_000_000_000L;

    private final Listener listener;
    private final Loop loop;
    private final int fd;
    private final Operation accept = new Operation(this);
    private final AtomicLong accepted = new AtomicLong();
    private long pauseNanos = PAUSE_MIN_NANOS;
    private long loggedNanos;
    private boolean logged;
    private @Nullable Timer pause;
    private boolean closing;
    private boolean closeStaged;
    /** The loop is dying: the socket is kept for another. */
    private boolean released;

    Acceptor(Listener listener, Loop loop, int fd) {
        this.listener = listener;
        this.loop = loop;
        this.fd = fd;
    }

    Loop loop() {
        return loop;
    }

    long accepted() {
        return accepted.get();
    }

    void start() {
        if (loop.failure() == null) {
            loop.tenants().moveIn(this);
            arm();
        }
    }

    /** Ends accepting and closes the socket. */
    void stop() {
        if (!closing && !released) {
            closing = true;
            endAccepting();
            settle();
        }
    }

    /** Ends accepting and leaves the socket open. */
    void release() {
        if (!closing && !released) {
            released = true;
            endAccepting();
            if (accept.idle()) {
                loop.tenants().moveOut(this);
            }
        }
    }

    /** The socket of a loop that has died, for whoever asks; -1 when it is closed. */
    int surrender() {
        return closeStaged ? -1 : fd;
    }

    private void endAccepting() {
        if (pause != null) {
            pause.cancel();
        }
        loop.driver().cancel(accept);
    }

    private void arm() {
        if (!closing && !released && accept.idle()) {
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
            loop.tenants().moveOut(this);
            return;
        }
        if (result >= 0) {
            pauseNanos = PAUSE_MIN_NANOS;
            accepted.lazySet(accepted.get() + 1);
            listener.place(result, loop);
        }
        if (more) {
            return;
        }
        if (released) {
            loop.tenants().moveOut(this);
        } else if (closing) {
            settle();
        } else if (outOfResources(result)) {
            pause(result);
        } else {
            // A connection that was reset while it waited, an interruption: the socket itself is fine.
            arm();
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
        long now = loop.clock().nanoTime();
        if (!logged || now - loggedNanos > LOG_INTERVAL_NANOS) {
            logged = true;
            loggedNanos = now;
            LoopLog.warn("accepting on " + SocketAddresses.inWords(listener.address()) + " pauses: "
                    + Errno.describe(-result));
        }
    }
}
