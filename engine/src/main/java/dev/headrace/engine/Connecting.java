package dev.headrace.engine;

import dev.headrace.abi.linux.Inet;
import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.abi.linux.Tcp;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.socket.SocketAddresses;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * One attempt to connect.
 *
 * <p>Thread: the loop's. Owns: the socket until the connection takes it over, and the memory of the address until the
 * kernel has answered.
 */
final class Connecting implements OperationOwner {
    private final Loop loop;
    private final InetSocketAddress address;
    private final Function<Connection, ConnectionHandler> handlers;
    private final ConnectFailure failure;
    private final Operation operation = new Operation(this);
    private final Arena arena = Arena.ofConfined();
    private int fd = -1;

    Connecting(
            Loop loop,
            InetSocketAddress address,
            Function<Connection, ConnectionHandler> handlers,
            ConnectFailure failure) {
        this.loop = loop;
        this.address = address;
        this.handlers = handlers;
        this.failure = failure;
    }

    void start() {
        loop.tenants().moveIn(this);
        if (loop.stopping()) {
            fail(shutDown());
            return;
        }
        try {
            SocketAddresses.requireResolved(address);
        } catch (IOException e) {
            fail(e);
            return;
        }
        boolean nonBlocking = loop.options().backend().nonBlockingSockets();
        fd = loop.sockets().open(SocketAddresses.family(address), nonBlocking);
        if (fd < 0) {
            fail(SocketErrors.exception("socket for " + SocketAddresses.inWords(address), fd));
            return;
        }
        loop.sockets().setOption(fd, Inet.IPPROTO_TCP, Tcp.TCP_NODELAY, 1);
        long sockaddr = arena.allocate(SockaddrStorage.SIZE, 8).address();
        int length = SocketAddresses.write(address, sockaddr);
        loop.driver().stage(operation.prepareConnect(fd, sockaddr, length, arena));
    }

    @Override
    public void completed(Operation done, int result, boolean more, int bufferId) {
        if (done.kind() == Operation.Kind.CLOSE) {
            loop.tenants().moveOut(this);
            return;
        }
        if (loop.stopping()) {
            fail(shutDown());
            return;
        }
        if (result < 0) {
            fail(SocketErrors.exception("connect to " + SocketAddresses.inWords(address), result));
            return;
        }
        arena.close();
        loop.adopt(fd, handlers);
        loop.tenants().moveOut(this);
    }

    /** The loop group is being shut down: no answer is waited for. */
    void giveUp() {
        loop.driver().cancel(operation);
    }

    private IOException shutDown() {
        return new IOException(
                "connect to " + SocketAddresses.inWords(address) + " given up: the loop group is shut down");
    }

    private void fail(IOException cause) {
        arena.close();
        try {
            failure.failed(address, cause);
        } catch (Throwable thrown) {
            loop.handlerFailed(thrown);
        }
        if (fd < 0) {
            loop.tenants().moveOut(this);
        } else {
            loop.driver().stage(operation.prepareClose(fd));
        }
    }
}
