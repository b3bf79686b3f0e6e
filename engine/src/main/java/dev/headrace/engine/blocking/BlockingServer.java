package dev.headrace.engine.blocking;

import dev.headrace.engine.Listener;
import dev.headrace.engine.LoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves each accepted connection on a virtual thread of its own.
 *
 * <p>Thread: any. Owns: the listener and the connections being served, until {@link #close}.
 */
public final class BlockingServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.headrace.engine.blocking");

    /** Serves one connection, which is closed when this returns, and aborted when it throws. */
    @FunctionalInterface
    public interface Service {
        void serve(BlockingConnection connection) throws IOException, InterruptedException;
    }

    private final Service service;
    private final Set<BlockingConnection> served = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Set once, by whoever opens the server. */
    private final Listener listener;

    private BlockingServer(LoopGroup group, InetSocketAddress address, Service service) throws IOException {
        this.service = service;
        this.listener = group.listen(address, connection -> new Exchange(connection, this::begin));
    }

    /**
     * Listens on an address; port 0 lets the kernel pick one.
     *
     * @throws IOException naming the address and what is wrong with it
     */
    public static BlockingServer open(LoopGroup group, InetSocketAddress address, Service service) throws IOException {
        Objects.requireNonNull(service, "service");
        return new BlockingServer(group, address, service);
    }

    /** The address in use. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** Connections being served. */
    public int connections() {
        return served.size();
    }

    /** On the loop's thread. */
    private void begin(BlockingConnection connection) {
        served.add(connection);
        Thread.ofVirtual().name("serves " + connection.connection().id()).start(() -> serve(connection));
        if (closed) {
            connection.close();
        }
    }

    private void serve(BlockingConnection connection) {
        try {
            service.serve(connection);
        } catch (IOException | InterruptedException e) {
            // The peer, a time-out or a shutdown: the connection's matter. A reset tells the peer that something is
            // missing.
            connection.abortUnlessClosed();
        } catch (Throwable thrown) {
            connection.abortUnlessClosed();
            LOG.log(System.Logger.Level.WARNING, "a service threw", thrown);
        } finally {
            connection.close();
            served.remove(connection);
        }
    }

    /**
     * Stops accepting and closes every connection in order, without waiting: threads that read or write fail, and end. Does
     * not end the group.
     */
    @Override
    public void close() {
        closed = true;
        listener.close();
        served.forEach(BlockingConnection::close);
    }
}
