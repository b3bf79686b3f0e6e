package dev.headrace.engine.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SockaddrIn;
import dev.headrace.abi.linux.SockaddrIn6;
import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.abi.linux.Socket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses to the kernel and back, and what its errors become. */
class SocketAddressesTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 0",
        "0.0.0.0, 1",
        "255.255.255.255, 65535",
        "192.0.2.200, 32768",
        "::, 0",
        "::1, 443",
        "2001:db8::ff00:42:8329, 65535"
    })
    void thereAndBack(String host, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        try (Arena arena = Arena.ofConfined()) {
            long memory = dirty(arena);
            int length = SocketAddresses.write(address, memory);
            boolean six = address.getAddress() instanceof Inet6Address;
            assertThat(length).isEqualTo(six ? SockaddrIn6.SIZE : SockaddrIn.SIZE);
            assertThat(SocketAddresses.family(address)).isEqualTo(six ? Socket.AF_INET6 : Socket.AF_INET);
            // The port lies in network byte order at the same place in both.
            assertThat(Memory.getByte(memory + 2) & 0xFF).isEqualTo(port >>> 8);
            assertThat(Memory.getByte(memory + 3) & 0xFF).isEqualTo(port & 0xFF);
            assertThat(SocketAddresses.read(memory)).isEqualTo(address);
        }
    }

    /** A link-local address means nothing without its interface. */
    @Test
    void theScopeIsKept() throws IOException {
        byte[] host = InetAddress.getByName("fe80::1").getAddress();
        InetSocketAddress address = new InetSocketAddress(Inet6Address.getByAddress(null, host, 1), 80);
        try (Arena arena = Arena.ofConfined()) {
            long memory = dirty(arena);
            SocketAddresses.write(address, memory);
            assertThat(SockaddrIn6.sin6ScopeId(memory)).isEqualTo(1);
            InetSocketAddress read = SocketAddresses.read(memory);
            assertThat(read.getAddress()).isInstanceOf(Inet6Address.class);
            assertThat(((Inet6Address) read.getAddress()).getScopeId()).isEqualTo(1);
        }
    }

    /** What a dual-stack listener sees of an IPv4 peer. */
    @Test
    void anIpv4AddressInIpv6ClothesIsIpv4() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long memory = dirty(arena);
            Memory.fill(memory, SockaddrStorage.SIZE, (byte) 0);
            SockaddrIn6.sin6Family(memory, Socket.AF_INET6);
            SockaddrIn6.sin6Port(memory, 99);
            byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 1, 2, 3};
            Memory.copy(mapped, 0, memory + SockaddrIn6.SIN6_ADDR, mapped.length);
            assertThat(SocketAddresses.read(memory)).isEqualTo(new InetSocketAddress("10.1.2.3", 99));
        }
    }

    private static long dirty(Arena arena) {
        long memory = arena.allocate(SockaddrStorage.SIZE, 8).address();
        Memory.fill(memory, SockaddrStorage.SIZE, (byte) 0xA5);
        return memory;
    }

    @Test
    void anUnresolvedHostIsRefused() {
        assertThatThrownBy(() -> SocketAddresses.requireResolved(InetSocketAddress.createUnresolved("nowhere", 1)))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void errorsBecomeTheExceptionsOfTheJdk() {
        assertError(Errno.EADDRINUSE, BindException.class, "another process listens");
        assertError(Errno.EACCES, BindException.class, "CAP_NET_BIND_SERVICE");
        assertError(Errno.EADDRNOTAVAIL, BindException.class, "ephemeral ports");
        assertError(Errno.ECONNREFUSED, ConnectException.class, "nothing listens");
        assertError(Errno.ETIMEDOUT, ConnectException.class, "ETIMEDOUT");
        assertError(Errno.EHOSTUNREACH, NoRouteToHostException.class, "EHOSTUNREACH");
        assertError(Errno.ENETUNREACH, NoRouteToHostException.class, "ENETUNREACH");
        assertError(Errno.EMFILE, SocketException.class, "ulimit -n");
        assertError(Errno.ENFILE, SocketException.class, "fs.file-max");
        assertError(Errno.ECONNRESET, SocketException.class, "ECONNRESET");
    }

    private static void assertError(int errno, Class<?> type, String words) {
        assertThat(SocketErrors.exception("trying", -errno))
                .isExactlyInstanceOf(type)
                .hasMessageContaining("trying")
                .hasMessageContaining(words);
    }
}
