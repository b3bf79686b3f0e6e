package dev.headrace.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Echo over the JDK's {@link Selector}, on one thread.
 *
 * <p>One direct buffer serves all connections: what was read is written back at once. What a socket refuses is kept with
 * its key, and reading pauses until it is gone. Nothing is allocated per message but by the selector itself.
 *
 * <p>Thread: {@link #start} once; everything else on the server's own thread.
 *
 * <p>Owns: the selector, the sockets, the buffer.
 */
final class JdkNioServer implements EchoServer {
    private static final int BUFFER_BYTES = 64 << 10;

    /** How long accepting rests when descriptors have run out: trying again at once spins. */
    private static final long ACCEPT_PAUSE_MILLIS = 50;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Consumer<SelectionKey> ready = this::ready;
    private @Nullable SelectionKey pausedListener;

    @Override
    public InetSocketAddress start(InetSocketAddress address) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(address, BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        new Thread(() -> serve(selector), "jdk-nio").start();
        return (InetSocketAddress) listener.getLocalAddress();
    }

    @Override
    public String configuration() {
        return "JDK " + Runtime.version() + " NIO, Selector.select(Consumer); one thread; shared "
                + (BUFFER_BYTES >> 10) + " KiB direct buffer; TCP_NODELAY";
    }

    private void serve(Selector selector) {
        while (selector.isOpen()) {
            try {
                selector.select(ready, pausedListener == null ? 0 : ACCEPT_PAUSE_MILLIS);
                resumeAccepting();
            } catch (IOException | ClosedSelectorException e) {
                System.err.println("peer jdk-nio: the selector failed: " + e.getMessage());
                System.exit(1);
            }
        }
    }

    private void ready(SelectionKey key) {
        if (key.isAcceptable()) {
            accept(key);
            return;
        }
        try {
            SocketChannel channel = (SocketChannel) key.channel();
            if (key.attachment() instanceof ByteBuffer rest) {
                writeRest(key, channel, rest);
            } else {
                read(key, channel);
            }
        } catch (IOException e) {
            close(key); // reset by the peer: the connection is over
        }
    }

    private void read(SelectionKey key, SocketChannel channel) throws IOException {
        buffer.clear();
        int count = channel.read(buffer);
        if (count < 0) {
            close(key);
            return;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0) {
                key.attach(ByteBuffer.allocateDirect(buffer.remaining())
                        .put(buffer)
                        .flip());
                key.interestOps(SelectionKey.OP_WRITE);
                return;
            }
        }
    }

    private static void writeRest(SelectionKey key, SocketChannel channel, ByteBuffer rest) throws IOException {
        channel.write(rest);
        if (!rest.hasRemaining()) {
            key.attach(null);
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void accept(SelectionKey key) {
        ServerSocketChannel listener = (ServerSocketChannel) key.channel();
        for (int i = 0; i < BACKLOG; i++) {
            try {
                SocketChannel channel = listener.accept();
                if (channel == null) {
                    return;
                }
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(key.selector(), SelectionKey.OP_READ);
            } catch (IOException e) {
                key.interestOps(0);
                pausedListener = key;
                return;
            }
        }
    }

    private void resumeAccepting() {
        if (pausedListener != null) {
            pausedListener.interestOps(SelectionKey.OP_ACCEPT);
            pausedListener = null;
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            // The descriptor is released all the same (close(2)).
        }
    }
}
