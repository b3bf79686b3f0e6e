package dev.headrace.engine;

import dev.headrace.abi.linux.Inet;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.Tcp;
import dev.headrace.engine.socket.Sockets;
import java.net.SocketOption;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The options of a socket that may be read and changed while a connection lives, under the names that the JDK has for them.
 *
 * <p>Thread: any; no state.
 */
enum SocketSetting {
    NO_DELAY("TCP_NODELAY", Boolean.class, Inet.IPPROTO_TCP, Tcp.TCP_NODELAY),
    KEEP_ALIVE("SO_KEEPALIVE", Boolean.class, Socket.SOL_SOCKET, Socket.SO_KEEPALIVE),
    RECEIVE_BUFFER("SO_RCVBUF", Integer.class, Socket.SOL_SOCKET, Socket.SO_RCVBUF),
    SEND_BUFFER("SO_SNDBUF", Integer.class, Socket.SOL_SOCKET, Socket.SO_SNDBUF),
    KEEP_IDLE("TCP_KEEPIDLE", Integer.class, Inet.IPPROTO_TCP, Tcp.TCP_KEEPIDLE),
    KEEP_INTERVAL("TCP_KEEPINTERVAL", Integer.class, Inet.IPPROTO_TCP, Tcp.TCP_KEEPINTVL),
    KEEP_COUNT("TCP_KEEPCOUNT", Integer.class, Inet.IPPROTO_TCP, Tcp.TCP_KEEPCNT);

    private final String optionName;
    private final Class<?> type;
    private final int level;
    private final int name;

    SocketSetting(String optionName, Class<?> type, int level, int name) {
        this.optionName = optionName;
        this.type = type;
        this.level = level;
        this.name = name;
    }

    /**
     * The setting behind an option of the JDK. Names decide, so that those of {@code jdk.net} need no dependency.
     *
     * @throws UnsupportedOperationException naming those there are
     */
    static SocketSetting of(SocketOption<?> option) {
        for (SocketSetting setting : values()) {
            if (setting.optionName.equals(option.name()) && setting.type == option.type()) {
                return setting;
            }
        }
        throw new UnsupportedOperationException("option " + option.name() + " is not supported: there are "
                + Arrays.stream(values()).map(SocketSetting::optionName).collect(Collectors.joining(", ")));
    }

    String optionName() {
        return optionName;
    }

    /**
     * The number that the kernel takes for a value.
     *
     * @throws IllegalArgumentException when it is of another type, or negative
     */
    int number(Object value) {
        if (value instanceof Boolean flag && type == Boolean.class) {
            return flag ? 1 : 0;
        }
        if (!(value instanceof Integer number) || type != Integer.class) {
            throw new IllegalArgumentException(optionName + " takes a " + type.getSimpleName() + ", not " + value);
        }
        if (number < 0) {
            throw new IllegalArgumentException(optionName + " must not be negative, not " + number);
        }
        return number;
    }

    /** The value of a number that the kernel told. */
    Object value(int number) {
        return type == Boolean.class ? (Object) (number != 0) : (Object) number;
    }

    int write(Sockets sockets, int fd, int number) {
        return sockets.setOption(fd, level, name, number);
    }

    /** The number as it was set, or a negative errno. */
    int read(Sockets sockets, int fd) {
        int number = sockets.option(fd, level, name);
        // The kernel doubles the size of a buffer to have room for its own records, and tells the double (socket(7)).
        return number > 0 && (this == RECEIVE_BUFFER || this == SEND_BUFFER) ? number / 2 : number;
    }
}
