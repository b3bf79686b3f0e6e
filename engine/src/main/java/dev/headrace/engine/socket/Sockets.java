package dev.headrace.engine.socket;

/**
 * The socket calls that the engine makes; none of them waits.
 *
 * <p>Part of the narrow seam to the kernel, next to {@code Ring} and {@code Poller}: a simulated kernel implements it as
 * well. Each method returns the kernel's answer, a negative errno on failure; nothing throws.
 *
 * <p>Thread: one instance per thread.
 */
public interface Sockets {
    /** A stream socket of that address family, closed on exec. */
    int open(int family, boolean nonBlocking);

    int bind(int fd, long sockaddr, int sockaddrBytes);

    int listen(int fd, int backlog);

    /** Accepts a connection, closed on exec; EAGAIN when none waits on a non-blocking listener. */
    int accept(int fd, boolean nonBlocking);

    int connect(int fd, long sockaddr, int sockaddrBytes);

    int receive(int fd, long address, int length);

    /** Sends without raising SIGPIPE. */
    int send(int fd, long address, int length);

    /** Sends what a {@code struct msghdr} describes, without raising SIGPIPE. */
    int sendGather(int fd, long msghdr);

    int shutdown(int fd, int how);

    int close(int fd);

    int setOption(int fd, int level, int name, int value);

    /** The value of an {@code int} option, or a negative errno. */
    int option(int fd, int level, int name);

    /** Makes the coming close a reset: pending output is dropped and the peer gets RST. */
    int resetOnClose(int fd);

    /** Writes the local address of the socket to {@code sockaddr}, which has room for any; returns its length. */
    int localAddress(int fd, long sockaddr);

    /** Writes the peer's address to {@code sockaddr}, which has room for any; returns its length. */
    int remoteAddress(int fd, long sockaddr);
}
