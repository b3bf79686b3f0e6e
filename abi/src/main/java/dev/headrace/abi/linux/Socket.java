package dev.headrace.abi.linux;

import dev.headrace.abi.Header;
import dev.headrace.abi.Since;

/**
 * Constants of sockets, from sys/socket.h.
 */
@Header("sys/socket.h")
public final class Socket {
    // address families

    public static final int AF_UNSPEC = 0;
    public static final int AF_UNIX = 1;
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;

    // types, and flags that may be added to them

    public static final int SOCK_STREAM = 1;
    public static final int SOCK_DGRAM = 2;
    public static final int SOCK_NONBLOCK = 0x800;
    public static final int SOCK_CLOEXEC = 0x80000;

    // options of setsockopt(2)

    public static final int SOL_SOCKET = 1;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_TYPE = 3;
    public static final int SO_ERROR = 4;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_KEEPALIVE = 9;
    public static final int SO_LINGER = 13;

    @Since("3.9")
    public static final int SO_REUSEPORT = 15;

    public static final int SO_RCVTIMEO = 20;
    public static final int SO_SNDTIMEO = 21;
    public static final int SO_ACCEPTCONN = 30;
    public static final int SO_DOMAIN = 39;

    @Since("3.11")
    public static final int SO_BUSY_POLL = 46;

    @Since("3.19")
    public static final int SO_INCOMING_CPU = 49;

    @Since("4.12")
    public static final int SO_INCOMING_NAPI_ID = 56;

    @Since("4.14")
    public static final int SO_ZEROCOPY = 60;

    @Since("5.11")
    public static final int SO_PREFER_BUSY_POLL = 69;

    @Since("5.11")
    public static final int SO_BUSY_POLL_BUDGET = 70;

    public static final int SOMAXCONN = 4096;

    // flags of send(2) and recv(2)

    public static final int MSG_OOB = 0x1;
    public static final int MSG_PEEK = 0x2;
    public static final int MSG_TRUNC = 0x20;
    public static final int MSG_DONTWAIT = 0x40;
    public static final int MSG_WAITALL = 0x100;
    public static final int MSG_ERRQUEUE = 0x2000;
    public static final int MSG_NOSIGNAL = 0x4000;
    public static final int MSG_MORE = 0x8000;

    @Since("4.14")
    public static final int MSG_ZEROCOPY = 0x4000000;

    public static final int MSG_CMSG_CLOEXEC = 0x40000000;

    // directions of shutdown(2)

    public static final int SHUT_RD = 0;
    public static final int SHUT_WR = 1;
    public static final int SHUT_RDWR = 2;

    private Socket() {}
}
