package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.ChildJvm;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A message leaves no garbage behind. */
class AllocationTest {
    private static final String OTHER_RUNGS =
            "a hundred thousand messages each, and the other rungs do not change the code that a message passes";
    private static final int CONNECTIONS = 50;
    private static final int MESSAGE_BYTES = 100;
    private static final int MESSAGES = 100_000;
    private static final int ALLOCATED_BYTES_MAX = 64 << 10;
    private static final int ROUNDS_MAX = 8;

    /** Connections of the plainest kind, which exchange messages in rounds. */
    private static final class Peers implements AutoCloseable {
        private final SocketChannel[] channels;
        private final ByteBuffer message;

        Peers(InetSocketAddress address, int connections, int bytes) throws IOException {
            channels = new SocketChannel[connections];
            message = ByteBuffer.allocateDirect(bytes);
            for (int i = 0; i < connections; i++) {
                channels[i] = SocketChannel.open(address);
            }
        }

        /** Sends a number of messages in all, each connection so many at a time before it receives as many. */
        void exchange(int messages, int depth) throws IOException {
            for (int sent = 0; sent < messages; sent += channels.length * depth) {
                for (SocketChannel channel : channels) {
                    for (int i = 0; i < depth; i++) {
                        channel.write(message.clear());
                    }
                }
                for (SocketChannel channel : channels) {
                    for (int i = 0; i < depth; i++) {
                        receive(channel);
                    }
                }
            }
        }

        private void receive(SocketChannel channel) throws IOException {
            message.clear();
            while (message.hasRemaining()) {
                if (channel.read(message) < 0) {
                    throw new IOException("unexpected end");
                }
            }
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    /**
     * Exchanges messages again and again until one round leaves no garbage: the compiler takes its time to see that short
     * lived objects need not be made. Garbage that belongs to the messages comes with every round.
     */
    private static void requireNoGarbage(Setting setting, int connections, int bytes, int depth, int messages)
            throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Server server = Server.echo(setting);
                Peers peers = new Peers(server.address(), connections, bytes)) {
            long loopThread = server.call(() -> Thread.currentThread().threadId());
            List<Long> rounds = new ArrayList<>();
            do {
                long received = server.count(Counter.BYTES_RECEIVED);
                long before = threads.getThreadAllocatedBytes(loopThread);
                peers.exchange(messages, depth);
                rounds.add(threads.getThreadAllocatedBytes(loopThread) - before);
                assertThat(server.count(Counter.BYTES_RECEIVED) - received)
                        .isGreaterThanOrEqualTo((long) messages * bytes);
            } while (rounds.getLast() > ALLOCATED_BYTES_MAX && rounds.size() < ROUNDS_MAX);
            System.out.printf(
                    "%s: rounds of %d messages of %d B on %d connections, %d in flight: the loop allocated %s B%n",
                    setting, messages, bytes, connections, depth, rounds);
            assertThat(rounds.getLast())
                    .as("bytes allocated on the loop's thread in the last of the rounds " + rounds)
                    .isBetween(0L, (long) ALLOCATED_BYTES_MAX);
        }
    }

    @EveryBackend(
            masks = {"multishot-receive", "skipped-completions", "buffer-ring"},
            because = OTHER_RUNGS)
    void ofSmallMessages(Setting setting) throws IOException {
        requireNoGarbage(setting, CONNECTIONS, MESSAGE_BYTES, 1, MESSAGES);
    }

    @EveryBackend(
            masks = {"multishot-receive", "skipped-completions", "buffer-ring"},
            because = OTHER_RUNGS)
    void ofSmallMessagesInFlightTogether(Setting setting) throws IOException {
        requireNoGarbage(setting, CONNECTIONS, MESSAGE_BYTES, 16, MESSAGES);
    }

    /** Large messages are gathered from several slices, and some are sent in part. */
    @EveryBackend(
            masks = {"multishot-receive", "skipped-completions", "buffer-ring"},
            because = OTHER_RUNGS)
    void ofLargeMessages(Setting setting) throws IOException {
        requireNoGarbage(setting, 4, 200_000, 1, 4_000);
    }

    /** A heap that is never collected does not fill up; each object is taken from it one by one, so that it shows. */
    @EveryBackend(
            masks = {},
            because = "a process each, and the rounds that are counted in this one see the same garbage")
    void onAHeapThatMayNotGrow(Setting setting) throws IOException {
        int messages = 100_000;
        List<String> options =
                List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-XX:-UseTLAB", "-Xms64m", "-Xmx64m");
        try (ChildJvm server = ChildJvm.echo(options, setting)) {
            int port = Integer.parseInt(server.ask("listen"));
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            List<Long> rounds = new ArrayList<>();
            try (Peers peers = new Peers(address, CONNECTIONS, MESSAGE_BYTES)) {
                server.ask("heap");
                do {
                    long before = Long.parseLong(server.ask("heap"));
                    peers.exchange(messages, 1);
                    rounds.add(Long.parseLong(server.ask("heap")) - before);
                } while (rounds.getLast() > ALLOCATED_BYTES_MAX && rounds.size() < ROUNDS_MAX);
            }
            System.out.printf(
                    "%s: rounds of %d messages took %s B of a heap without a collector%n", setting, messages, rounds);
            assertThat(rounds.getLast())
                    .as("bytes of heap used up in the last of the rounds " + rounds)
                    .isBetween(0L, (long) ALLOCATED_BYTES_MAX);
            assertThat(server.ask("shutdown")).isEqualTo("true");
        }
    }
}
