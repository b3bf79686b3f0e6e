package dev.headrace.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Echo over the JDK's asynchronous channels, with a group of one thread.
 *
 * <p>Each connection has one direct buffer and one operation at a time: a read, then writes until the buffer is empty,
 * then a read. That keeps order and holds back a peer that does not read.
 *
 * <p>Thread: {@link #start} once; completions on the group's thread.
 *
 * <p>Owns: the group, the sockets, the buffers.
 */
final class JdkNio2Server implements EchoServer {
    private static final int BUFFER_BYTES = 4096;

    /** How long accepting rests when descriptors have run out: trying again at once spins. */
    private static final long ACCEPT_PAUSE_MILLIS = 50;

    @Override
    public InetSocketAddress start(InetSocketAddress address) throws IOException {
        AsynchronousChannelGroup group =
                AsynchronousChannelGroup.withFixedThreadPool(1, task -> new Thread(task, "jdk-nio2"));
        try {
            AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open(group);
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(address, BACKLOG);
            listener.accept(null, new Acceptor(listener));
            return (InetSocketAddress) listener.getLocalAddress();
        } catch (IOException e) {
            group.shutdownNow();
            throw e;
        }
    }

    @Override
    public String configuration() {
        return "JDK " + Runtime.version() + " NIO.2, AsynchronousSocketChannel; fixed group of one thread; "
                + (BUFFER_BYTES >> 10) + " KiB direct buffer per connection; TCP_NODELAY";
    }

    private record Acceptor(AsynchronousServerSocketChannel listener)
            implements CompletionHandler<AsynchronousSocketChannel, @Nullable Void> {
        @Override
        public void completed(AsynchronousSocketChannel channel, @Nullable Void unused) {
            listener.accept(null, this);
            new Echo(channel).begin();
        }

        @Override
        public void failed(Throwable failure, @Nullable Void unused) {
            CompletableFuture.delayedExecutor(ACCEPT_PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                    .execute(() -> listener.accept(null, this));
        }
    }

    /** One connection: the handler of its reads; its writes have their own. */
    private static final class Echo implements CompletionHandler<Integer, @Nullable Void> {
        private final AsynchronousSocketChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private final CompletionHandler<Integer, @Nullable Void> written = new CompletionHandler<>() {
            @Override
            public void completed(Integer count, @Nullable Void unused) {
                if (buffer.hasRemaining()) {
                    channel.write(buffer, null, this);
                } else {
                    read();
                }
            }

            @Override
            public void failed(Throwable failure, @Nullable Void unused) {
                close();
            }
        };

        Echo(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        void begin() {
            try {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                read();
            } catch (IOException e) {
                close();
            }
        }

        private void read() {
            buffer.clear();
            channel.read(buffer, null, this);
        }

        @Override
        public void completed(Integer count, @Nullable Void unused) {
            if (count < 0) {
                close();
            } else {
                buffer.flip();
                channel.write(buffer, null, written);
            }
        }

        @Override
        public void failed(Throwable failure, @Nullable Void unused) {
            close();
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                // The descriptor is released all the same (close(2)).
            }
        }
    }
}
