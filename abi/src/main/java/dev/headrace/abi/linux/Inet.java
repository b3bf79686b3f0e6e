package dev.headrace.abi.linux;

import dev.headrace.abi.Header;
import dev.headrace.abi.Since;

/**
 * Constants of the internet protocols, from netinet/in.h.
 */
@Header("netinet/in.h")
public final class Inet {
    public static final int IPPROTO_IP = 0;
    public static final int IPPROTO_TCP = 6;
    public static final int IPPROTO_UDP = 17;
    public static final int IPPROTO_IPV6 = 41;
    public static final int INADDR_ANY = 0;

    /** In host order, as all accessors of {@link SockaddrIn} take it. */
    public static final int INADDR_LOOPBACK = 0x7f000001;

    public static final int IPV6_V6ONLY = 26;

    @Since("4.2")
    public static final int IP_BIND_ADDRESS_NO_PORT = 24;

    private Inet() {}
}
