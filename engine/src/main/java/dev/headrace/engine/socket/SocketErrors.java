package dev.headrace.engine.socket;

import dev.headrace.abi.linux.Errno;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/**
 * Says in words what an errno of a socket call means, as the exception that Java programs expect.
 *
 * <p>Thread: any; no state.
 */
public final class SocketErrors {
    private SocketErrors() {}

    /** An exception for a negative errno, with what was attempted and, where there is one, the remedy. */
    public static IOException exception(String attempted, int result) {
        int errno = -result;
        String message = attempted + ": " + Errno.describe(errno) + remedy(errno);
        return switch (errno) {
            case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES -> new BindException(message);
            case Errno.ECONNREFUSED, Errno.ETIMEDOUT -> new ConnectException(message);
            case Errno.EHOSTUNREACH, Errno.ENETUNREACH -> new NoRouteToHostException(message);
            default -> new SocketException(message);
        };
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE -> "; another process listens there: choose another port or stop it";
            case Errno.EACCES -> "; ports below net.ipv4.ip_unprivileged_port_start need CAP_NET_BIND_SERVICE";
            case Errno.EADDRNOTAVAIL -> "; no such local address, or all ephemeral ports are in use";
            case Errno.EMFILE -> "; the process is at its descriptor limit: raise it (ulimit -n, LimitNOFILE)";
            case Errno.ENFILE -> "; the host is at its descriptor limit: raise fs.file-max";
            case Errno.ECONNREFUSED -> "; nothing listens there";
            default -> "";
        };
    }
}
