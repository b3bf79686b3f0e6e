package dev.headrace.engine.socket;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.SockaddrIn;
import dev.headrace.abi.linux.SockaddrIn6;
import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.abi.linux.Socket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Translates between {@link InetSocketAddress} and the kernel's {@code struct sockaddr_in} and {@code sockaddr_in6}.
 *
 * <p>Thread: any; no state.
 */
public final class SocketAddresses {
    private SocketAddresses() {}

    /**
     * Refuses an address that names no host.
     *
     * @throws UnknownHostException when the host name was not resolved
     */
    public static InetSocketAddress requireResolved(InetSocketAddress address) throws UnknownHostException {
        if (address.isUnresolved()) {
            throw new UnknownHostException("cannot resolve host '" + address.getHostString() + "'");
        }
        return address;
    }

    /** The address as a person writes it: {@code 127.0.0.1:7000}, {@code [::1]:7000}, {@code example.org:80}. */
    public static String inWords(InetSocketAddress address) {
        String host = address.getHostString();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /** AF_INET or AF_INET6. */
    public static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ? Socket.AF_INET6 : Socket.AF_INET;
    }

    /** Writes the address to memory with room for any, and tells how many bytes it takes. */
    public static int write(InetSocketAddress address, long sockaddr) {
        Memory.fill(sockaddr, SockaddrStorage.SIZE, (byte) 0);
        byte[] host = address.getAddress().getAddress();
        int port = address.getPort();
        if (address.getAddress() instanceof Inet6Address scoped) {
            SockaddrIn6.sin6Family(sockaddr, Socket.AF_INET6);
            SockaddrIn6.sin6Port(sockaddr, port);
            SockaddrIn6.sin6ScopeId(sockaddr, scoped.getScopeId());
            Memory.copy(host, 0, sockaddr + SockaddrIn6.SIN6_ADDR, host.length);
            return SockaddrIn6.SIZE;
        }
        SockaddrIn.sinFamily(sockaddr, Socket.AF_INET);
        SockaddrIn.sinPort(sockaddr, port);
        Memory.copy(host, 0, sockaddr + SockaddrIn.SIN_ADDR, host.length);
        return SockaddrIn.SIZE;
    }

    /** Reads an address that the kernel wrote. */
    public static InetSocketAddress read(long sockaddr) {
        int family = SockaddrIn.sinFamily(sockaddr);
        try {
            if (family == Socket.AF_INET6) {
                byte[] host = new byte[16];
                Memory.copy(sockaddr + SockaddrIn6.SIN6_ADDR, host, 0, host.length);
                int port = SockaddrIn6.sin6Port(sockaddr);
                int scope = SockaddrIn6.sin6ScopeId(sockaddr);
                InetAddress address =
                        scope == 0 ? InetAddress.getByAddress(host) : Inet6Address.getByAddress(null, host, scope);
                return new InetSocketAddress(address, port);
            }
            byte[] host = new byte[4];
            Memory.copy(sockaddr + SockaddrIn.SIN_ADDR, host, 0, host.length);
            int port = SockaddrIn.sinPort(sockaddr);
            return new InetSocketAddress(InetAddress.getByAddress(host), port);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }
}
