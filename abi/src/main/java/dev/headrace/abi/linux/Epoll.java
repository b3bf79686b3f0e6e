package dev.headrace.abi.linux;

import dev.headrace.abi.Header;
import dev.headrace.abi.Since;

/**
 * Constants of epoll, from sys/epoll.h.
 */
@Header("sys/epoll.h")
public final class Epoll {
    public static final int EPOLL_CLOEXEC = 0x80000;
    public static final int EPOLL_CTL_ADD = 1;
    public static final int EPOLL_CTL_DEL = 2;
    public static final int EPOLL_CTL_MOD = 3;
    public static final int EPOLLIN = 0x1;
    public static final int EPOLLPRI = 0x2;
    public static final int EPOLLOUT = 0x4;
    public static final int EPOLLERR = 0x8;
    public static final int EPOLLHUP = 0x10;
    public static final int EPOLLRDHUP = 0x2000;

    @Since("4.5")
    public static final int EPOLLEXCLUSIVE = 1 << 28;

    public static final int EPOLLONESHOT = 1 << 30;
    public static final int EPOLLET = 1 << 31;

    private Epoll() {}
}
