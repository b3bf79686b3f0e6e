package dev.headrace.engine.socket;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Linger;
import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;

/**
 * The socket calls of Linux.
 *
 * <p>Thread: one instance per thread. Owns: a few bytes for option values.
 */
public final class LinuxSockets implements Sockets {
    private final SystemCalls calls;
    private final long value;
    private final long valueLength;

    public LinuxSockets(SystemCalls calls) {
        this.calls = calls;
        // The memory is named by address alone: it lives as long as this object's thread may call, so for ever.
        this.value = Arena.global().allocate(16, 8).address();
        this.valueLength = value + 8;
    }

    @Override
    public int open(int family, boolean nonBlocking) {
        return calls.socket(family, Socket.SOCK_STREAM | typeFlags(nonBlocking), 0);
    }

    @Override
    public int bind(int fd, long sockaddr, int sockaddrBytes) {
        return calls.bind(fd, sockaddr, sockaddrBytes);
    }

    @Override
    public int listen(int fd, int backlog) {
        return calls.listen(fd, backlog);
    }

    @Override
    public int accept(int fd, boolean nonBlocking) {
        return calls.accept4(fd, 0, 0, typeFlags(nonBlocking));
    }

    @Override
    public int connect(int fd, long sockaddr, int sockaddrBytes) {
        return calls.connect(fd, sockaddr, sockaddrBytes);
    }

    @Override
    public int receive(int fd, long address, int length) {
        return (int) calls.recv(fd, address, length, 0);
    }

    @Override
    public int send(int fd, long address, int length) {
        return (int) calls.send(fd, address, length, Socket.MSG_NOSIGNAL);
    }

    @Override
    public int sendGather(int fd, long msghdr) {
        return (int) calls.sendmsg(fd, msghdr, Socket.MSG_NOSIGNAL);
    }

    @Override
    public int shutdown(int fd, int how) {
        return calls.shutdown(fd, how);
    }

    @Override
    public int close(int fd) {
        return calls.close(fd);
    }

    @Override
    public int setOption(int fd, int level, int name, int optionValue) {
        Memory.putInt(value, optionValue);
        return calls.setsockopt(fd, level, name, value, Integer.BYTES);
    }

    @Override
    public int option(int fd, int level, int name) {
        Memory.putInt(valueLength, Integer.BYTES);
        int result = calls.getsockopt(fd, level, name, value, valueLength);
        return result < 0 ? result : Memory.getInt(value);
    }

    @Override
    public int resetOnClose(int fd) {
        Linger.lOnoff(value, 1);
        Linger.lLinger(value, 0);
        return calls.setsockopt(fd, Socket.SOL_SOCKET, Socket.SO_LINGER, value, Linger.SIZE);
    }

    @Override
    public int localAddress(int fd, long sockaddr) {
        Memory.putInt(valueLength, SockaddrStorage.SIZE);
        int result = calls.getsockname(fd, sockaddr, valueLength);
        return result < 0 ? result : Memory.getInt(valueLength);
    }

    @Override
    public int remoteAddress(int fd, long sockaddr) {
        Memory.putInt(valueLength, SockaddrStorage.SIZE);
        int result = calls.getpeername(fd, sockaddr, valueLength);
        return result < 0 ? result : Memory.getInt(valueLength);
    }

    private static int typeFlags(boolean nonBlocking) {
        return nonBlocking ? Socket.SOCK_CLOEXEC | Socket.SOCK_NONBLOCK : Socket.SOCK_CLOEXEC;
    }
}
