package dev.headrace.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Eventfd;
import dev.headrace.abi.linux.Fcntl;
import dev.headrace.abi.linux.Inet;
import dev.headrace.abi.linux.Linger;
import dev.headrace.abi.linux.SockaddrIn;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;

/** Descriptors of the kernel, closed with this. */
final class RealDescriptors implements AutoCloseable {
    /** Two connected descriptors. */
    record Pair(int near, int far) {}

    private static final int ROOM_BYTES = 4096;

    private final SystemCalls calls;
    private final Arena arena = Arena.ofShared();
    private final long room = arena.allocate(ROOM_BYTES, 8).address();
    private final Set<Integer> open = new HashSet<>();

    RealDescriptors(SystemCalls calls) {
        this.calls = calls;
    }

    private int opened(int fd) {
        assertThat(fd).as(() -> Errno.describe(-fd)).isNotNegative();
        open.add(fd);
        return fd;
    }

    /** Two sockets of this machine's own kind. */
    Pair pair() {
        int type = Socket.SOCK_STREAM | Socket.SOCK_NONBLOCK | Socket.SOCK_CLOEXEC;
        assertThat(calls.socketpair(Socket.AF_UNIX, type, 0, room)).isZero();
        return new Pair(opened(Memory.getInt(room)), opened(Memory.getInt(room + 4)));
    }

    int tcpSocket() {
        int type = Socket.SOCK_STREAM | Socket.SOCK_NONBLOCK | Socket.SOCK_CLOEXEC;
        return opened(calls.socket(Socket.AF_INET, type, 0));
    }

    /** A TCP connection of this machine to itself. */
    Pair tcpPair() {
        int listener = tcpListener();
        int near = tcpSocket();
        assertThat(connect(near, listener)).isEqualTo(-Errno.EINPROGRESS);
        int accepted = -Errno.EAGAIN;
        for (int i = 0; i < 1_000_000 && accepted == -Errno.EAGAIN; i++) {
            accepted = calls.accept4(listener, 0, 0, Socket.SOCK_NONBLOCK | Socket.SOCK_CLOEXEC);
        }
        int far = opened(accepted);
        close(listener);
        return new Pair(near, far);
    }

    int tcpListener() {
        int listener = boundTcpSocket();
        assertThat(calls.listen(listener, 16)).isZero();
        return listener;
    }

    /** A socket that is bound and does not listen: a connect to it is refused. */
    int boundTcpSocket() {
        int fd = tcpSocket();
        SockaddrIn.sinFamily(room, Socket.AF_INET);
        SockaddrIn.sinPort(room, 0);
        SockaddrIn.sinAddr(room, Inet.INADDR_LOOPBACK);
        assertThat(calls.bind(fd, room, SockaddrIn.SIZE)).isZero();
        return fd;
    }

    /** Connects a socket to the address that another one is bound to. */
    int connect(int fd, int listener) {
        long length = room + SockaddrIn.SIZE;
        Memory.putInt(length, SockaddrIn.SIZE);
        assertThat(calls.getsockname(listener, room, length)).isZero();
        return calls.connect(fd, room, SockaddrIn.SIZE);
    }

    /** A counter that is readable when it is not zero, and always writable. */
    int counter() {
        return opened(calls.eventfd(0, Eventfd.EFD_NONBLOCK | Eventfd.EFD_CLOEXEC));
    }

    void signal(int counter) {
        Memory.putLong(room, 1);
        assertThat(calls.write(counter, room, Long.BYTES)).isEqualTo(Long.BYTES);
    }

    void drain(int fd) {
        assertThat(calls.read(fd, room, ROOM_BYTES)).isPositive();
    }

    void send(int fd) {
        assertThat(calls.send(fd, room, 1, Socket.MSG_NOSIGNAL)).isEqualTo(1);
    }

    /** Sends until the socket takes no more. */
    void fill(int fd) {
        long sent = 0;
        for (int i = 0; i < 1_000_000 && sent >= 0; i++) {
            sent = calls.send(fd, room, ROOM_BYTES, Socket.MSG_NOSIGNAL);
        }
        assertThat(sent).isEqualTo(-Errno.EAGAIN);
    }

    /** Receives until there is no more. */
    void empty(int fd) {
        long received = 1;
        for (int i = 0; i < 1_000_000 && received > 0; i++) {
            received = calls.recv(fd, room, ROOM_BYTES, 0);
        }
        assertThat(received).isEqualTo(-Errno.EAGAIN);
    }

    void shutdownOutput(int fd) {
        assertThat(calls.shutdown(fd, Socket.SHUT_WR)).isZero();
    }

    /** Closes a TCP socket so that its peer sees a reset. */
    void reset(int fd) {
        Linger.lOnoff(room, 1);
        Linger.lLinger(room, 0);
        assertThat(calls.setsockopt(fd, Socket.SOL_SOCKET, Socket.SO_LINGER, room, Linger.SIZE))
                .isZero();
        close(fd);
    }

    /** The same open file under the first free number from {@code lowest} on. */
    int duplicate(int fd, int lowest) {
        return opened(calls.fcntl(fd, Fcntl.F_DUPFD_CLOEXEC, lowest));
    }

    void close(int fd) {
        assertThat(open.remove(fd)).isTrue();
        assertThat(calls.close(fd)).isZero();
    }

    @Override
    public void close() {
        Set.copyOf(open).forEach(this::close);
        arena.close();
    }
}
