package dev.headrace.engine.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Out of descriptors: who is connected is served, who waits is accepted once there is room, and nothing spins. */
class DescriptorLimitTest {
    private static final int ROOM = 10;
    private static final int PEERS = 25;

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
            // The limit is taken when the accept is armed: so it comes first. One goes to the listener.
            server.tell("limit " + (ROOM + 1));
            server.answer("limit");
            InetSocketAddress address = local(server.ask("listen"));
            for (int i = 0; i < PEERS; i++) {
                peers.add(Peer.to(address));
                peers.get(i).send(Content.of(i, 100));
            }
            for (int i = 0; i < ROOM; i++) {
                peers.get(i).expect(Content.of(i, 100));
            }
            peers.get(ROOM).expectSilence(300);
            assertThat(counter(server, "ACCEPT_PAUSES")).isPositive();
            long turns = counter(server, "TURNS");
            LockSupport.parkNanos(1_000_000_000L);
            assertThat(counter(server, "TURNS") - turns)
                    .as("turns in a second at the limit")
                    .isLessThan(300);
            for (int i = 0; i < ROOM; i++) {
                peers.get(i).exchange(Content.of(i, 10_000));
            }
            // As those in front leave, those behind come in.
            for (int i = 0; i < PEERS; i++) {
                if (i >= ROOM) {
                    peers.get(i).expect(Content.of(i, 100));
                }
                peers.get(i).close();
            }
            assertThat(server.ask("shutdown")).isEqualTo("true");
        } finally {
            for (Peer peer : peers) {
                peer.close();
            }
        }
    }

    private static InetSocketAddress local(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    private static long counter(ChildJvm server, String name) {
        server.tell("counter " + name);
        return Long.parseLong(server.answer("counter"));
    }
}
