package dev.headrace.abi.linux;

import dev.headrace.abi.Header;
import dev.headrace.abi.Since;

/**
 * Options and states of TCP, from netinet/tcp.h.
 */
@Header("netinet/tcp.h")
public final class Tcp {
    public static final int TCP_NODELAY = 1;
    public static final int TCP_MAXSEG = 2;
    public static final int TCP_CORK = 3;
    public static final int TCP_KEEPIDLE = 4;
    public static final int TCP_KEEPINTVL = 5;
    public static final int TCP_KEEPCNT = 6;
    public static final int TCP_DEFER_ACCEPT = 9;
    public static final int TCP_INFO = 11;
    public static final int TCP_QUICKACK = 12;
    public static final int TCP_CONGESTION = 13;
    public static final int TCP_USER_TIMEOUT = 18;
    public static final int TCP_FASTOPEN = 23;

    @Since("3.12")
    public static final int TCP_NOTSENT_LOWAT = 25;

    /** A state: not connected, or not any more. */
    public static final int TCP_CLOSE = 7;
    /** A state: the peer ended its direction first, then we ours; our end is not acknowledged yet. */
    public static final int TCP_LAST_ACK = 9;
    /** A state: both ended their directions at once; our end is not acknowledged yet. */
    public static final int TCP_CLOSING = 11;

    private Tcp() {}
}
