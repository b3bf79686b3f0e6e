package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.headrace.testkit.ChildJvm;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Out of descriptors: who is connected is served, who waits is accepted once there is room, and nothing spins. */
@Fault(10)
class DescriptorLimitTest {
    private static final int DESCRIPTORS = 64;
    private static final int PEERS = 200;
    private static final Duration AT_THE_LIMIT = Duration.ofSeconds(2);
    private static final double CORE_SHARE_MAX = 0.05;

    @EveryBackend(
            masks = {"multishot-accept"},
            because = "a process and seconds each, and the limit is met by accepting alone")
    void acceptingPausesAndGoesOn(Setting setting) throws IOException {
        List<Peer> peers = new ArrayList<>();
        try (ChildJvm server = ChildJvm.echo(List.of("-Xmx64m"), setting)) {
            // A rehearsal, so that the classes of the whole path are loaded before descriptors are short.
            try (Peer peer = Peer.to(local(server.ask("listen")))) {
                peer.exchange(Content.of(0, 100));
            }
            await().until(() -> counter(server, "CONNECTIONS_CLOSED") == 1);
            server.ask("cpu");
            // The limit is taken when the accept is armed: so it comes first. One goes to the listener.
            server.tell("limit " + DESCRIPTORS);
            int room = Integer.parseInt(server.answer("limit")) - 1;
            InetSocketAddress address = local(server.ask("listen"));
            for (int i = 0; i < PEERS; i++) {
                peers.add(Peer.to(address));
                peers.get(i).send(Content.of(i, 100));
            }
            for (int i = 0; i < room; i++) {
                peers.get(i).expect(Content.of(i, 100));
            }
            peers.get(room).expectSilence(300);
            assertThat(counter(server, "ACCEPT_PAUSES")).isPositive();
            requireRest(setting, server, peers.subList(0, room));
            leaveInTurn(peers, room);
            requireRecovery(server, address);
            assertThat(server.ask("shutdown")).isEqualTo("true");
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }

    /** At the limit the server serves those it has, and does next to nothing besides. */
    private static void requireRest(Setting setting, ChildJvm server, List<Peer> served) throws IOException {
        long turns = counter(server, "TURNS");
        long cpuNanos = Long.parseLong(server.ask("cpu"));
        long from = System.nanoTime();
        for (int i = 0; System.nanoTime() - from < AT_THE_LIMIT.toNanos(); i++) {
            served.get(i % served.size()).exchange(Content.of(i, 1_000));
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        double share = (Long.parseLong(server.ask("cpu")) - cpuNanos) / (double) (System.nanoTime() - from);
        System.out.printf(
                "%s: %.1f %% of a core at the limit of %d descriptors, with %d of %d clients served%n",
                setting, 100 * share, DESCRIPTORS, served.size(), PEERS);
        assertThat(share).as("share of a core used at the limit").isLessThan(CORE_SHARE_MAX);
        assertThat(counter(server, "TURNS") - turns)
                .as("turns in two seconds at the limit")
                .isLessThan(600);
        for (Peer peer : served) {
            peer.exchange(Content.of(1, 10_000));
        }
    }

    /** As those in front leave, those behind come in. */
    private static void leaveInTurn(List<Peer> peers, int room) throws IOException {
        for (int i = 0; i < PEERS; i++) {
            if (i >= room) {
                peers.get(i).expect(Content.of(i, 100));
            }
            peers.get(i).close();
        }
    }

    /** Nothing is left of the shortage: whoever comes is served, and accepting does not pause. */
    private static void requireRecovery(ChildJvm server, InetSocketAddress address) throws IOException {
        await().until(() -> counter(server, "CONNECTIONS_CLOSED") == PEERS + 1);
        assertThat(counter(server, "CONNECTIONS_OPENED")).isEqualTo(PEERS + 1);
        long pauses = counter(server, "ACCEPT_PAUSES");
        for (int i = 0; i < 20; i++) {
            try (Peer peer = Peer.to(address)) {
                peer.exchange(Content.of(i, 10_000));
            }
        }
        assertThat(counter(server, "ACCEPT_PAUSES")).isEqualTo(pauses);
    }

    private static InetSocketAddress local(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    private static long counter(ChildJvm server, String name) {
        server.tell("counter " + name);
        return Long.parseLong(server.answer("counter"));
    }
}
