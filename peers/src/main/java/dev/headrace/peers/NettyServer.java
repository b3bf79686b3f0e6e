package dev.headrace.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.Version;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;

/**
 * Echo over Netty, on one event loop.
 *
 * <p>Thread: {@link #start} once; the handler on the event loop.
 *
 * <p>Owns: the event loop and, through it, the sockets.
 */
@SuppressWarnings("FutureReturnValueIgnored") // an echo that fails ends its connection: nobody waits for a single write
final class NettyServer implements EchoServer {
    private final NettyTransport transport;

    NettyServer(NettyTransport transport) {
        this.transport = transport;
    }

    @Override
    public InetSocketAddress start(InetSocketAddress address) throws IOException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, transport.handlers());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(transport.channelType())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new Echo());
        transport.configure(bootstrap);
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        Throwable failure = bound.cause();
        if (failure != null) {
            group.shutdownGracefully();
            BindException refused =
                    new BindException(failure.getMessage()); // the native transports have their own types
            refused.initCause(failure);
            throw refused;
        }
        return (InetSocketAddress) bound.channel().localAddress();
    }

    @Override
    public String configuration() {
        Version version = Version.identify().get("netty-transport");
        return "Netty " + (version == null ? "of unknown version" : version.artifactVersion()) + " "
                + transport.configuration() + "; JDK " + Runtime.version() + "; one event loop; "
                + ByteBufAllocator.DEFAULT.getClass().getSimpleName()
                + " (default); flush in channelReadComplete; Unsafe "
                + (PlatformDependent.hasUnsafe() ? "on" : "off (Netty's default on this JDK)") + "; TCP_NODELAY";
    }

    /** Writes what was read and flushes once per batch of reads. Stops reading while the peer takes too little. */
    @ChannelHandler.Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise()); // failures come to exceptionCaught, no promise is allocated
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            context.channel().config().setAutoRead(context.channel().isWritable());
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // reset by the peer: the connection is over
        }
    }
}
