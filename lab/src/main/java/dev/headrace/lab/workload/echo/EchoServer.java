package dev.headrace.lab.workload.echo;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.Listener;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.buffer.Buffer;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Returns what it receives. When the peer has finished sending, the rest is returned and the connection closed.
 *
 * <p>Thread: the connection's loop; no state, so one instance serves all connections.
 */
public final class EchoServer implements ConnectionHandler {
    private static final EchoServer INSTANCE = new EchoServer();

    private EchoServer() {}

    /** Listens on the address. */
    public static Listener listen(LoopGroup group, InetSocketAddress address) throws IOException {
        return group.listen(address, connection -> INSTANCE);
    }

    @Override
    public void received(Connection connection, Buffer data) {
        connection.write(data);
    }
}
