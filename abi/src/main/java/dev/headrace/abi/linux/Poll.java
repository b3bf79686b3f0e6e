package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Events of poll(2), from poll.h.
 */
@Header("poll.h")
public final class Poll {
    public static final int POLLIN = 0x1;
    public static final int POLLPRI = 0x2;
    public static final int POLLOUT = 0x4;
    public static final int POLLERR = 0x8;
    public static final int POLLHUP = 0x10;
    public static final int POLLNVAL = 0x20;
    public static final int POLLRDHUP = 0x2000;

    private Poll() {}
}
