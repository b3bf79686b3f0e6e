package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.socket.LinuxSockets;
import dev.headrace.engine.socket.SocketAddresses;
import dev.headrace.engine.socket.SocketErrors;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens a listening socket.
 *
 * @param fd the descriptor
 * @param address as bound
 */
record ListeningSocket(int fd, InetSocketAddress address) {
    /** The port of a process that was killed is busy for up to about 200 ms. */
    private static final int BIND_TRIES = 10;

    private static final long BIND_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    /**
     * Binds and listens, without waiting for anything but a port that is about to come free.
     *
     * @throws IOException naming the address and what is wrong with it
     */
    static ListeningSocket open(InetSocketAddress wanted, EngineOptions options) throws IOException {
        SocketAddresses.requireResolved(wanted);
        Sockets sockets = new LinuxSockets(new SystemCalls());
        int fd = sockets.open(SocketAddresses.family(wanted), options.backend().nonBlockingListeners());
        if (fd < 0) {
            throw SocketErrors.exception("socket for " + SocketAddresses.inWords(wanted), fd);
        }
        try (Arena arena = Arena.ofConfined()) {
            long sockaddr = arena.allocate(SockaddrStorage.SIZE, 8).address();
            sockets.setOption(fd, Socket.SOL_SOCKET, Socket.SO_REUSEADDR, 1);
            options.socketOptions().applyTo(sockets, fd);
            int result = bind(sockets, fd, sockaddr, SocketAddresses.write(wanted, sockaddr));
            if (result == 0) {
                result = sockets.listen(fd, options.backlog());
            }
            if (result < 0) {
                throw SocketErrors.exception("cannot listen on " + SocketAddresses.inWords(wanted), result);
            }
            sockets.localAddress(fd, sockaddr);
            return new ListeningSocket(fd, SocketAddresses.read(sockaddr));
        } catch (IOException e) {
            sockets.close(fd);
            throw e;
        }
    }

    private static int bind(Sockets sockets, int fd, long sockaddr, int length) {
        int result = sockets.bind(fd, sockaddr, length);
        for (int i = 0; i < BIND_TRIES && result == -Errno.EADDRINUSE; i++) {
            LockSupport.parkNanos(BIND_PAUSE_NANOS);
            result = sockets.bind(fd, sockaddr, length);
        }
        return result;
    }
}
