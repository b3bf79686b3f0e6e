package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Backend;
import dev.headrace.testkit.ChildJvm;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a connection costs the process while nothing happens on it. */
class IdleMemoryTest {
    private static final int FEW = 1_000;
    private static final int MANY = 10_000;
    private static final int BYTES_MAX = 512;
    /** A fixed heap that is resident from the start: what grows beside it is memory outside the heap. */
    private static final List<String> OPTIONS =
            List.of("-XX:+UseSerialGC", "-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");

    @EveryBackend(
            masks = {},
            because = "ten thousand connections in a process each, and no rung changes what the engine keeps for one")
    void ofAnIdleConnection(Setting setting) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        try (ChildJvm server = ChildJvm.echo(OPTIONS, setting)) {
            // Select watches no more than FD_SETSIZE descriptors: fewer connections, which show less of the slope.
            boolean limited = setting.backend() == Backend.SELECT;
            int fewCount = limited ? 100 : FEW;
            int manyCount = limited ? 900 : MANY;
            connect(channels, server.ask("listen"), fewCount);
            closeAll(channels);
            String port = server.ask("renew");
            connect(channels, port, fewCount);
            long[] few = memory(server);
            connect(channels, port, manyCount);
            long[] many = memory(server);
            double managed = (many[0] + many[1] - few[0] - few[1]) / (double) (manyCount - fewCount);
            double resident = (many[2] - few[2]) / (double) (manyCount - fewCount);
            System.out.printf(
                    "%s: an idle connection takes %.0f B of heap and buffers, %.0f B of resident memory beside the heap%n",
                    setting, managed, resident);
            assertThat(managed)
                    .as("bytes of heap and buffers per idle connection")
                    .isLessThanOrEqualTo(BYTES_MAX);
            assertThat(managed + resident)
                    .as("bytes per idle connection, all in all")
                    .isLessThanOrEqualTo(2 * BYTES_MAX);
        } finally {
            closeAll(channels);
        }
    }

    private static long[] memory(ChildJvm server) {
        return Arrays.stream(server.ask("memory").split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Connects until there are so many; each exchanges a message before it idles. */
    private static void connect(List<SocketChannel> channels, String port, int count) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
        ByteBuffer message = ByteBuffer.allocateDirect(100);
        while (channels.size() < count) {
            SocketChannel channel = SocketChannel.open(address);
            channels.add(channel);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.write(message.clear());
            message.clear();
            while (message.hasRemaining()) {
                if (channel.read(message) < 0) {
                    throw new IOException("end of connection " + channels.size());
                }
            }
        }
    }

    private static void closeAll(List<SocketChannel> channels) throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        channels.clear();
    }
}
