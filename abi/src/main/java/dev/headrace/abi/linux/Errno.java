package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Error numbers, from errno.h. Results of {@link SystemCalls} and of io_uring completions carry them negated.
 */
@Header("errno.h")
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ENOTTY = 25;
    public static final int ENOSPC = 28;
    public static final int ESPIPE = 29;
    public static final int EPIPE = 32;
    public static final int ERANGE = 34;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ETIME = 62;
    public static final int EPROTO = 71;
    public static final int EOVERFLOW = 75;
    public static final int EBADFD = 77;
    public static final int ENOTSOCK = 88;
    public static final int EDESTADDRREQ = 89;
    public static final int EMSGSIZE = 90;
    public static final int EPROTOTYPE = 91;
    public static final int ENOPROTOOPT = 92;
    public static final int EPROTONOSUPPORT = 93;
    public static final int EOPNOTSUPP = 95;
    public static final int EAFNOSUPPORT = 97;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETDOWN = 100;
    public static final int ENETUNREACH = 101;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int EISCONN = 106;
    public static final int ENOTCONN = 107;
    public static final int ESHUTDOWN = 108;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTDOWN = 112;
    public static final int EHOSTUNREACH = 113;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int ECANCELED = 125;

    private Errno() {}

    /**
     * The name of an error as the manual pages write it, such as {@code ECONNRESET}; {@code errno 200} where it is not
     * known here. The number may be negative, as results carry it.
     */
    public static String name(int errno) {
        String text = describe(errno);
        int end = text.indexOf(" (");
        return end < 0 ? text : text.substring(0, end);
    }

    /** The name and meaning of an error, such as {@code ECONNRESET (connection reset by peer)}. */
    public static String describe(int errno) {
        return switch (Math.abs(errno)) {
            case EPERM -> "EPERM (operation not permitted)";
            case ENOENT -> "ENOENT (no such file or directory)";
            case ESRCH -> "ESRCH (no such process)";
            case EINTR -> "EINTR (interrupted system call)";
            case EIO -> "EIO (input/output error)";
            case ENXIO -> "ENXIO (no such device or address)";
            case EBADF -> "EBADF (bad file descriptor)";
            case EAGAIN -> "EAGAIN (resource temporarily unavailable)";
            case ENOMEM -> "ENOMEM (cannot allocate memory)";
            case EACCES -> "EACCES (permission denied)";
            case EFAULT -> "EFAULT (bad address)";
            case EBUSY -> "EBUSY (device or resource busy)";
            case EEXIST -> "EEXIST (file exists)";
            case ENODEV -> "ENODEV (no such device)";
            case ENOTDIR -> "ENOTDIR (not a directory)";
            case EINVAL -> "EINVAL (invalid argument)";
            case ENFILE -> "ENFILE (too many open files in system)";
            case EMFILE -> "EMFILE (too many open files)";
            case ENOTTY -> "ENOTTY (inappropriate ioctl for device)";
            case ENOSPC -> "ENOSPC (no space left on device)";
            case ESPIPE -> "ESPIPE (illegal seek)";
            case EPIPE -> "EPIPE (broken pipe)";
            case ERANGE -> "ERANGE (numerical result out of range)";
            case ENAMETOOLONG -> "ENAMETOOLONG (file name too long)";
            case ENOSYS -> "ENOSYS (function not implemented)";
            case ETIME -> "ETIME (timer expired)";
            case EPROTO -> "EPROTO (protocol error)";
            case EOVERFLOW -> "EOVERFLOW (value too large for defined data type)";
            case EBADFD -> "EBADFD (file descriptor in bad state)";
            case ENOTSOCK -> "ENOTSOCK (socket operation on non-socket)";
            case EDESTADDRREQ -> "EDESTADDRREQ (destination address required)";
            case EMSGSIZE -> "EMSGSIZE (message too long)";
            case EPROTOTYPE -> "EPROTOTYPE (protocol wrong type for socket)";
            case ENOPROTOOPT -> "ENOPROTOOPT (protocol not available)";
            case EPROTONOSUPPORT -> "EPROTONOSUPPORT (protocol not supported)";
            case EOPNOTSUPP -> "EOPNOTSUPP (operation not supported)";
            case EAFNOSUPPORT -> "EAFNOSUPPORT (address family not supported by protocol)";
            case EADDRINUSE -> "EADDRINUSE (address already in use)";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL (cannot assign requested address)";
            case ENETDOWN -> "ENETDOWN (network is down)";
            case ENETUNREACH -> "ENETUNREACH (network is unreachable)";
            case ECONNABORTED -> "ECONNABORTED (software caused connection abort)";
            case ECONNRESET -> "ECONNRESET (connection reset by peer)";
            case ENOBUFS -> "ENOBUFS (no buffer space available)";
            case EISCONN -> "EISCONN (transport endpoint is already connected)";
            case ENOTCONN -> "ENOTCONN (transport endpoint is not connected)";
            case ESHUTDOWN -> "ESHUTDOWN (cannot send after transport endpoint shutdown)";
            case ETIMEDOUT -> "ETIMEDOUT (connection timed out)";
            case ECONNREFUSED -> "ECONNREFUSED (connection refused)";
            case EHOSTDOWN -> "EHOSTDOWN (host is down)";
            case EHOSTUNREACH -> "EHOSTUNREACH (no route to host)";
            case EALREADY -> "EALREADY (operation already in progress)";
            case EINPROGRESS -> "EINPROGRESS (operation now in progress)";
            case ECANCELED -> "ECANCELED (operation canceled)";
            default -> "errno " + Math.abs(errno);
        };
    }
}
