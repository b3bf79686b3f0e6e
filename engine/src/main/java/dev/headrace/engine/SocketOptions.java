package dev.headrace.engine;

import dev.headrace.engine.socket.SocketErrors;
import dev.headrace.engine.socket.Sockets;
import java.io.IOException;

/**
 * What is set on each accepted and each connected socket.
 *
 * @param noDelay TCP_NODELAY: what is written leaves at once, without waiting for the answer to what left before
 * @param keepAlive SO_KEEPALIVE: the kernel probes a silent peer and ends the connection when it does not answer
 * @param receiveBufferBytes SO_RCVBUF, which ends the kernel's own sizing; 0 leaves that to it
 * @param sendBufferBytes SO_SNDBUF, which ends the kernel's own sizing; 0 leaves that to it
 */
public record SocketOptions(boolean noDelay, boolean keepAlive, int receiveBufferBytes, int sendBufferBytes) {
    public SocketOptions {
        notNegative("receiveBufferBytes", receiveBufferBytes);
        notNegative("sendBufferBytes", sendBufferBytes);
    }

    /** TCP_NODELAY, and the rest as the kernel has it. */
    public static SocketOptions defaults() {
        return new SocketOptions(true, false, 0, 0);
    }

    public SocketOptions withNoDelay(boolean value) {
        return new SocketOptions(value, keepAlive, receiveBufferBytes, sendBufferBytes);
    }

    public SocketOptions withKeepAlive(boolean value) {
        return new SocketOptions(noDelay, value, receiveBufferBytes, sendBufferBytes);
    }

    /** Sizes of the socket's own buffers; 0 leaves one to the kernel. */
    public SocketOptions withKernelBuffers(int receiveBytes, int sendBytes) {
        return new SocketOptions(noDelay, keepAlive, receiveBytes, sendBytes);
    }

    /**
     * Sets them on a socket that neither listens nor connects yet. Accepted sockets inherit all of them from their listener:
     * one call there instead of one a connection.
     *
     * @throws IOException naming the option that the kernel refuses
     */
    void applyTo(Sockets sockets, int fd) throws IOException {
        set(sockets, fd, SocketSetting.NO_DELAY, noDelay ? 1 : 0);
        set(sockets, fd, SocketSetting.KEEP_ALIVE, keepAlive ? 1 : 0);
        if (receiveBufferBytes > 0) {
            set(sockets, fd, SocketSetting.RECEIVE_BUFFER, receiveBufferBytes);
        }
        if (sendBufferBytes > 0) {
            set(sockets, fd, SocketSetting.SEND_BUFFER, sendBufferBytes);
        }
    }

    private static void set(Sockets sockets, int fd, SocketSetting setting, int value) throws IOException {
        int result = setting.write(sockets, fd, value);
        if (result < 0) {
            throw SocketErrors.exception("set " + setting.optionName() + " to " + value, result);
        }
    }

    private static void notNegative(String name, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative, not " + value);
        }
    }
}
