package dev.headrace.peers;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rivals there are, by the names users give them. */
public enum PeerKind {
    /** One thread, one {@code Selector}. */
    JDK_NIO("jdk-nio"),
    /** The JDK's asynchronous channels with a group of one thread. */
    JDK_NIO2("jdk-nio2"),
    /** Netty over the JDK's selector. */
    NETTY_NIO("netty-nio"),
    /** Netty over its native epoll transport. */
    NETTY_EPOLL("netty-epoll"),
    /** Netty over its native io_uring transport. */
    NETTY_IO_URING("netty-io_uring");

    private final String text;

    PeerKind(String text) {
        this.text = text;
    }

    /** The kind that users call so. */
    static Optional<PeerKind> named(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }

    /** All names, for a message. */
    static String names() {
        return Arrays.stream(values()).map(PeerKind::toString).collect(Collectors.joining(", "));
    }

    /** Why this rival cannot run here, in one line; null if it can. */
    public @Nullable String unavailableBecause() {
        return switch (this) {
            case JDK_NIO, JDK_NIO2, NETTY_NIO -> null;
            case NETTY_EPOLL -> NettyTransport.EPOLL.unavailableBecause();
            case NETTY_IO_URING -> NettyTransport.IO_URING.unavailableBecause();
        };
    }

    EchoServer server() {
        return switch (this) {
            case JDK_NIO -> new JdkNioServer();
            case JDK_NIO2 -> new JdkNio2Server();
            case NETTY_NIO -> new NettyServer(NettyTransport.NIO);
            case NETTY_EPOLL -> new NettyServer(NettyTransport.EPOLL);
            case NETTY_IO_URING -> new NettyServer(NettyTransport.IO_URING);
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
