package dev.headrace.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringAdaptiveBufferRingAllocator;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** Netty's ways to the kernel, each with the options that belong to it. */
enum NettyTransport {
    /** The JDK's selector. */
    NIO(NioServerSocketChannel.class) {
        @Override
        @Nullable
        String unavailableBecause() {
            return null;
        }

        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        String configuration() {
            return "NIO";
        }
    },

    /** Netty's own epoll, edge-triggered. */
    EPOLL(EpollServerSocketChannel.class) {
        @Override
        @Nullable
        String unavailableBecause() {
            return reason(Epoll.unavailabilityCause());
        }

        @Override
        IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        String configuration() {
            return "epoll (native)";
        }
    },

    /**
     * Netty's own io_uring. With a ring of provided buffers Netty receives by multishot requests; accepting is multishot
     * wherever the kernel has it. The completion queue is larger than by default because a storm of connections
     * overflows 4096 entries.
     */
    IO_URING(IoUringServerSocketChannel.class) {
        @Override
        @Nullable
        String unavailableBecause() {
            return reason(IoUring.unavailabilityCause());
        }

        @Override
        IoHandlerFactory handlers() {
            IoUringIoHandlerConfig config = new IoUringIoHandlerConfig().setCqSize(CQ_ENTRIES);
            if (IoUring.isRegisterBufferRingSupported()) {
                config.setBufferRingConfig(bufferRing());
            }
            return IoUringIoHandler.newFactory(config);
        }

        @Override
        void configure(ServerBootstrap bootstrap) {
            if (IoUring.isRegisterBufferRingSupported()) {
                bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, BUFFER_GROUP);
            }
        }

        @Override
        String configuration() {
            boolean buffers = IoUring.isRegisterBufferRingSupported();
            return "io_uring (native), "
                    + (buffers ? bufferRingText() : "no buffer ring (not in this kernel)")
                    + ", multishot receive " + onOff(buffers && IoUring.isRecvMultishotEnabled())
                    + ", multishot accept " + onOff(IoUring.isAcceptMultishotEnabled())
                    + ", receive bundles " + onOff(IoUring.isRecvsendBundleEnabled())
                    + ", " + CQ_ENTRIES + " CQ entries";
        }
    };

    private static final int CQ_ENTRIES = 16384;
    private static final short BUFFER_GROUP = 0;
    private static final short ADAPTIVE_BUFFERS = 128;
    private static final short INCREMENTAL_BUFFERS = 16;
    private static final int INCREMENTAL_BYTES = 32 << 10;

    private final Class<? extends ServerSocketChannel> channelType;

    NettyTransport(Class<? extends ServerSocketChannel> channelType) {
        this.channelType = channelType;
    }

    Class<? extends ServerSocketChannel> channelType() {
        return channelType;
    }

    /** Why this transport cannot run here, in one line; null if it can. */
    abstract @Nullable String unavailableBecause();

    abstract IoHandlerFactory handlers();

    /** Sets the options that only this transport knows. */
    void configure(ServerBootstrap bootstrap) {}

    /** What the transport uses, for the configuration line. */
    abstract String configuration();

    /** Of the rings that were measured with small messages, these cost least; large rings of adaptive buffers cost more. */
    private static IoUringBufferRingConfig bufferRing() {
        boolean incremental = IoUring.isRegisterBufferRingIncSupported();
        short buffers = incremental ? INCREMENTAL_BUFFERS : ADAPTIVE_BUFFERS;
        return IoUringBufferRingConfig.builder()
                .bufferGroupId(BUFFER_GROUP)
                .bufferRingSize(buffers)
                .batchSize(buffers)
                .incremental(incremental)
                .allocator(
                        incremental
                                ? new IoUringFixedBufferRingAllocator(INCREMENTAL_BYTES)
                                : new IoUringAdaptiveBufferRingAllocator())
                .build();
    }

    private static String bufferRingText() {
        return IoUring.isRegisterBufferRingIncSupported()
                ? "ring of " + INCREMENTAL_BUFFERS + " incremental buffers of " + (INCREMENTAL_BYTES >> 10) + " KiB"
                : "ring of " + ADAPTIVE_BUFFERS + " adaptive buffers (incremental ones not in this kernel)";
    }

    private static @Nullable String reason(@Nullable Throwable cause) {
        if (cause == null) {
            return null;
        }
        Throwable root = cause;
        for (int i = 0; i < 10 && root.getCause() != null; i++) {
            root = root.getCause();
        }
        return "not available here: " + root.getMessage() + "; use jdk-nio or netty-nio, or allow it to the process";
    }

    private static String onOff(boolean on) {
        return on ? "on" : "off";
    }
}
