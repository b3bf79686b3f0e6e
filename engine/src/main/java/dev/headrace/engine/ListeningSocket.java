package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.socket.SocketAddresses;
import dev.headrace.engine.socket.SocketErrors;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A listening socket, and how it is opened.
 *
 * @param fd the descriptor
 * @param address as bound
 */
record ListeningSocket(int fd, InetSocketAddress address) {
    /** The port of a process that was killed is busy for up to about 200 ms. */
    private static final int BIND_TRIES = 10;

    private static final long BIND_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    /**
     * Opens as many sockets as there are to be, all bound to one address.
     *
     * @throws IOException naming the address and what is wrong with it
     */
    static List<ListeningSocket> open(InetSocketAddress wanted, int count, EngineOptions options, World world)
            throws IOException {
        List<ListeningSocket> sockets = new ArrayList<>();
        try {
            sockets.add(open(wanted, options, world, Sharing.of(count)));
            while (sockets.size() < count) {
                sockets.add(open(sockets.getFirst().address(), options, world, Sharing.JOINS));
            }
            return sockets;
        } catch (IOException e) {
            sockets.forEach(socket -> world.sockets().close(socket.fd()));
            throw e;
        }
    }

    /** How a socket has its address to itself. */
    private enum Sharing {
        ALONE,
        /** Binds alone, so that an address in use is refused, and lets others in afterwards. */
        INVITES,
        JOINS;

        static Sharing of(int count) {
            return count == 1 ? ALONE : INVITES;
        }
    }

    /** Binds and listens, without waiting for anything but a port that is about to come free. */
    private static ListeningSocket open(InetSocketAddress wanted, EngineOptions options, World world, Sharing sharing)
            throws IOException {
        SocketAddresses.requireResolved(wanted);
        Sockets sockets = world.sockets();
        int fd = sockets.open(SocketAddresses.family(wanted), options.backend().nonBlockingListeners());
        if (fd < 0) {
            throw SocketErrors.exception("socket for " + SocketAddresses.inWords(wanted), fd);
        }
        try (Arena arena = Arena.ofConfined()) {
            long sockaddr = arena.allocate(SockaddrStorage.SIZE, 8).address();
            sockets.setOption(fd, Socket.SOL_SOCKET, Socket.SO_REUSEADDR, 1);
            options.socketOptions().applyTo(sockets, fd);
            int result = sharing == Sharing.JOINS ? share(sockets, fd) : 0;
            if (result == 0) {
                result = bind(world, fd, sockaddr, SocketAddresses.write(wanted, sockaddr));
            }
            if (result == 0 && sharing == Sharing.INVITES) {
                result = share(sockets, fd);
            }
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

    private static int share(Sockets sockets, int fd) {
        return sockets.setOption(fd, Socket.SOL_SOCKET, Socket.SO_REUSEPORT, 1);
    }

    private static int bind(World world, int fd, long sockaddr, int length) {
        Sockets sockets = world.sockets();
        int result = sockets.bind(fd, sockaddr, length);
        for (int i = 0; i < BIND_TRIES && result == -Errno.EADDRINUSE; i++) {
            world.clock().pause(BIND_PAUSE_NANOS);
            result = sockets.bind(fd, sockaddr, length);
        }
        return result;
    }
}
