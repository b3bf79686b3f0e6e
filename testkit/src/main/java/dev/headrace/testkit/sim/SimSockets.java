package dev.headrace.testkit.sim;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Inet;
import dev.headrace.abi.linux.Iovec;
import dev.headrace.abi.linux.Msghdr;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.Tcp;
import dev.headrace.engine.socket.SocketAddresses;
import dev.headrace.engine.socket.Sockets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The socket calls of the simulated machine. None of them waits, as none of the engine's may.
 *
 * <p>Thread: the simulation's.
 */
final class SimSockets implements Sockets {
    private static final long REST_NANOS = 2_000;

    private final SimKernel kernel;
    /** Ports by descriptors that are bound and do not listen yet. */
    private final Map<Integer, Integer> bound = new HashMap<>();

    SimSockets(SimKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public int open(int family, boolean nonBlocking) {
        kernel.spend();
        if (kernel.exhausted()) {
            return -Errno.EMFILE;
        }
        Endpoint endpoint = kernel.newEndpoint();
        endpoint.nonBlocking = nonBlocking;
        return kernel.install(endpoint);
    }

    @Override
    public int bind(int fd, long sockaddr, int sockaddrBytes) {
        int port = SocketAddresses.read(sockaddr).getPort();
        bound.put(fd, port == 0 ? kernel.freePort() : port);
        return 0;
    }

    @Override
    public int listen(int fd, int backlog) {
        SimListener listener = new SimListener(kernel, bound.getOrDefault(fd, 0));
        SimFile before = kernel.file(fd);
        listener.nonBlocking = before != null && before.nonBlocking;
        int result = kernel.listen(listener.port(), listener);
        if (result == 0) {
            kernel.replace(fd, listener);
        }
        return result;
    }

    @Override
    public int accept(int fd, boolean nonBlocking) {
        kernel.spend();
        if (kernel.strikes(Mark.CALL_INTERRUPTED, 60)) {
            return -Errno.EINTR;
        }
        return kernel.file(fd) instanceof SimListener listener ? accept(listener, nonBlocking) : -Errno.EBADF;
    }

    /** What accepting gives, for a call and for a request of a ring. */
    int accept(SimListener listener, boolean nonBlocking) {
        if (listener.isEmpty()) {
            return -Errno.EAGAIN;
        }
        if (kernel.exhausted()) {
            kernel.marks().met(Mark.ACCEPT_EXHAUSTED);
            return -Errno.EMFILE;
        }
        if (kernel.strikes(Mark.ACCEPT_EXHAUSTED, 25)) {
            return new int[] {-Errno.EMFILE, -Errno.ENFILE, -Errno.ENOMEM, -Errno.ENOBUFS}
                    [kernel.chance().below(4)];
        }
        Endpoint endpoint = Objects.requireNonNull(listener.accept());
        if (kernel.strikes(Mark.ACCEPT_ABORTED, 40)) {
            endpoint.reset();
            return -Errno.ECONNABORTED;
        }
        if (endpoint.over()) {
            kernel.marks().met(Mark.RESET_IN_BACKLOG);
        }
        endpoint.nonBlocking = nonBlocking;
        return kernel.install(endpoint);
    }

    @Override
    public int connect(int fd, long sockaddr, int sockaddrBytes) {
        kernel.spend();
        if (kernel.file(fd) instanceof Endpoint endpoint) {
            kernel.connectOut(endpoint, SocketAddresses.read(sockaddr));
            return -Errno.EINPROGRESS;
        }
        return -Errno.EBADF;
    }

    @Override
    public int receive(int fd, long address, int length) {
        kernel.spend();
        if (kernel.strikes(Mark.CALL_INTERRUPTED, 60)) {
            return -Errno.EINTR;
        }
        return kernel.file(fd) instanceof Endpoint endpoint ? receive(endpoint, address, length) : -Errno.EBADF;
    }

    /** What receiving gives, for a call and for a request of a ring. */
    int receive(Endpoint endpoint, long address, int length) {
        int wanted = length;
        if (endpoint.available() > 1 && kernel.strikes(Mark.ONE_BYTE_RECEIVE, 40)) {
            // A read takes all that is there (epoll(7), question 9): the rest arrived right after it, which is an edge.
            wanted = 1;
            kernel.at(REST_NANOS, endpoint::wake);
        }
        return endpoint.receive(address, wanted);
    }

    @Override
    public int send(int fd, long address, int length) {
        kernel.spend();
        if (kernel.strikes(Mark.CALL_INTERRUPTED, 60)) {
            return -Errno.EINTR;
        }
        return kernel.file(fd) instanceof Endpoint endpoint ? send(endpoint, bytes(address, length)) : -Errno.EBADF;
    }

    @Override
    public int sendGather(int fd, long msghdr) {
        kernel.spend();
        if (kernel.strikes(Mark.CALL_INTERRUPTED, 60)) {
            return -Errno.EINTR;
        }
        return kernel.file(fd) instanceof Endpoint endpoint ? send(endpoint, gathered(msghdr)) : -Errno.EBADF;
    }

    /** Takes as many bytes as there is room for; their number, EAGAIN when there is none, or why nothing can be sent. */
    int send(Endpoint endpoint, byte[] bytes) {
        int refused = endpoint.sendRefused();
        if (refused < 0) {
            return refused;
        }
        int count = Math.min(bytes.length, endpoint.room());
        if (count > 1 && kernel.strikes(Mark.SHORT_SEND, 30)) {
            count = kernel.chance().between(1, count - 1);
        }
        if (count < bytes.length) {
            endpoint.awaitRoom();
        }
        if (count <= 0) {
            kernel.marks().met(Mark.SEND_WAITED);
            return -Errno.EAGAIN;
        }
        endpoint.send(count == bytes.length ? bytes : Arrays.copyOf(bytes, count));
        return count;
    }

    static byte[] bytes(long address, int length) {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return bytes;
    }

    static byte[] gathered(long msghdr) {
        int parts = (int) Msghdr.msgIovlen(msghdr);
        long vector = Msghdr.msgIov(msghdr);
        int length = 0;
        for (int i = 0; i < parts; i++) {
            length += (int) Iovec.iovLen(vector + (long) i * Iovec.SIZE);
        }
        byte[] bytes = new byte[length];
        int offset = 0;
        for (int i = 0; i < parts; i++) {
            long part = vector + (long) i * Iovec.SIZE;
            int count = (int) Iovec.iovLen(part);
            Memory.copy(Iovec.iovBase(part), bytes, offset, count);
            offset += count;
        }
        return bytes;
    }

    @Override
    public int shutdown(int fd, int how) {
        kernel.spend();
        return kernel.file(fd) instanceof Endpoint endpoint ? endpoint.finish() : -Errno.EBADF;
    }

    @Override
    public int close(int fd) {
        kernel.spend();
        return kernel.close(fd);
    }

    @Override
    public int setOption(int fd, int level, int name, int value) {
        return 0;
    }

    @Override
    public int option(int fd, int level, int name) {
        if (!(kernel.file(fd) instanceof Endpoint endpoint)) {
            return -Errno.EBADF;
        }
        if (level == Socket.SOL_SOCKET && name == Socket.SO_ERROR) {
            return endpoint.takeError();
        }
        return level == Inet.IPPROTO_TCP && name == Tcp.TCP_INFO ? endpoint.tcpState() : 0;
    }

    @Override
    public int resetOnClose(int fd) {
        @Nullable SimFile file = kernel.file(fd);
        if (file instanceof Endpoint endpoint) {
            endpoint.resetOnClose();
            return 0;
        }
        return -Errno.EBADF;
    }

    @Override
    public int localAddress(int fd, long sockaddr) {
        int port = kernel.file(fd) instanceof SimListener listener ? listener.port() : 1;
        return SocketAddresses.write(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), sockaddr);
    }

    @Override
    public int remoteAddress(int fd, long sockaddr) {
        if (!(kernel.file(fd) instanceof Endpoint endpoint)) {
            return -Errno.EBADF;
        }
        return SocketAddresses.write(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.number), sockaddr);
    }
}
