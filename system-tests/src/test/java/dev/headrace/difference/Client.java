package dev.headrace.difference;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** The other side of a connection: a socket of the JDK that never waits, so that one thread plays all of them. */
final class Client implements AutoCloseable {
    /** Enough for every step but those that stall, which have to end somewhere. */
    private static final int KERNEL_BUFFER_BYTES = 64 << 10;

    private final SocketChannel channel;
    private final Trace.Log log;
    private final ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
    private long received;
    private boolean ended;
    private boolean reset;

    private Client(SocketChannel channel, Trace.Log log) throws IOException {
        this.channel = channel;
        this.log = log;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static Client to(InetSocketAddress address, Trace.Log log) throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BUFFER_BYTES);
        channel.connect(address);
        return new Client(channel, log);
    }

    static Client of(SocketChannel accepted, Trace.Log log) throws IOException {
        return new Client(accepted, log);
    }

    /** Sends what the kernel takes. */
    void send(ByteBuffer content) throws IOException {
        channel.write(content);
    }

    /** Receives what has come, up to a total. */
    void receive(long total) throws IOException {
        while (received < total && !ended && !reset) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), total - received));
            int count = read();
            if (count == 0) {
                return;
            }
            if (count > 0) {
                received += count;
                log.received(Arrays.copyOf(buffer.array(), count));
            }
        }
    }

    /** As {@link #receive}, but what comes is not noted: how much it is depends on the kernel. */
    void receiveUnnoted() throws IOException {
        int count = 1;
        while (count > 0) {
            buffer.clear();
            count = read();
        }
    }

    private int read() throws IOException {
        if (!channel.isOpen()) {
            return -1;
        }
        try {
            int count = channel.read(buffer);
            if (count < 0 && !ended) {
                ended = true;
                log.add("end");
            }
            return count;
        } catch (SocketException e) {
            if (!reset) {
                reset = true;
                log.add("reset");
            }
            return -1;
        }
    }

    long received() {
        return received;
    }

    boolean ended() {
        return ended;
    }

    boolean over() {
        return ended || reset;
    }

    void finish() throws IOException {
        channel.shutdownOutput();
    }

    void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
