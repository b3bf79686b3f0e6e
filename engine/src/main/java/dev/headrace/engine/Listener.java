package dev.headrace.engine;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections on one address and has each placed on a loop for life: by one socket or by one on each loop, as the
 * options say.
 *
 * <p>When a loop dies, a shared socket moves to another, with the connections that wait in it; a loop's own is closed.
 *
 * <p>Thread: any. Owns: the listening sockets, until {@link #close}.
 */
public final class Listener implements AutoCloseable {
    private final LoopGroup group;
    private final InetSocketAddress address;
    private final Function<Connection, ConnectionHandler> handlers;
    private final boolean shared;
    private final List<Acceptor> acceptors = new CopyOnWriteArrayList<>();
    /** Guarded by this, as are changes of the acceptors. */
    private boolean closed;

    Listener(LoopGroup group, InetSocketAddress address, Function<Connection, ConnectionHandler> handlers) {
        this.group = group;
        this.address = address;
        this.handlers = handlers;
        this.shared = group.options().listeners() == ListenerPlacement.SHARED;
    }

    /** The address in use, with the port that the kernel picked if none was given. */
    public InetSocketAddress address() {
        return address;
    }

    /** Connections accepted so far, on all loops. */
    public long accepted() {
        return acceptors.stream().mapToLong(Acceptor::accepted).sum();
    }

    /** Stops accepting and closes the sockets; connections already accepted go on. Further calls do nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            group.forget(this);
            acceptors.forEach(acceptor -> tell(acceptor.loop(), acceptor::stop));
        }
    }

    /** Has a socket accepted from on a loop. When that loop is at its end, the socket is another's or closed. */
    synchronized void start(Loop loop, ListeningSocket socket) {
        startOn(loop, socket.fd());
    }

    private void startOn(@Nullable Loop first, int fd) {
        Loop loop = first;
        while (loop != null && !closed) {
            Acceptor acceptor = new Acceptor(this, loop, fd);
            if (tell(loop, acceptor::start)) {
                acceptors.add(acceptor);
                return;
            }
            loop = shared ? group.nextAlive() : null;
        }
        group.world().sockets().close(fd);
    }

    /** The loop has died, and gives back what it has of this listener. */
    synchronized void loopDied(Loop loop) {
        for (Acceptor acceptor : acceptors) {
            int fd = acceptor.loop() == loop ? acceptor.surrender() : -1;
            if (fd >= 0) {
                startOn(shared ? group.nextAlive() : null, fd);
            }
        }
    }

    /** Finds the loop of an accepted connection; on the thread of the loop that accepted it. */
    void place(int descriptor, Loop from) {
        for (int i = group.loopCount(); i >= 0; i--) {
            Loop target = shared || from.failure() != null ? group.nextAlive() : from;
            if (target == from) {
                from.adopt(descriptor, handlers);
                return;
            }
            if (target != null && tell(target, () -> target.adopt(descriptor, handlers))) {
                return;
            }
        }
        // All have been shut down and ended, or died; this one is about to.
        from.sockets().close(descriptor);
    }

    /** Whether the loop will run the task; one at its end does not. */
    private static boolean tell(Loop loop, Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
