package dev.headrace.abi.check.canary;

import dev.headrace.abi.Header;

/** A constant that the headers must refute. */
@Header("sys/epoll.h")
public final class WrongMacro {
    public static final int EPOLLIN = 0x1;
    public static final int EPOLLOUT = 0x2; // is 0x4

    private WrongMacro() {}
}
