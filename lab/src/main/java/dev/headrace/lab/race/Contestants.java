package dev.headrace.lab.race;

import dev.headrace.engine.Backend;
import dev.headrace.lab.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Knows every server that can be raced, by name.
 *
 * <p>Thread: one at a time. Owns: nothing; asking for a yardstick compiles it.
 */
public final class Contestants {
    /** Names of the peers, as {@code --peers} takes them. */
    public static final List<String> PEERS = List.of(
            "jdk-nio", "jdk-nio2", "netty-nio", "netty-epoll", "netty-io_uring", "c-epoll", "c-epoll-et", "c-io_uring");

    private static final String OURS = "headrace-";
    private static final String YARDSTICK = "c-";
    private static final String NETTY = "netty-";
    /** The address every server of a race listens on, with a port of the kernel's choice. */
    private static final String HOST = "127.0.0.1";

    private static final String ANY_PORT = "0";

    /**
     * What Netty asks for on Java 24 and later: its native transports call restricted methods, and its memory access
     * still goes through Unsafe.
     */
    private static final List<String> NETTY_FLAGS = List.of("--sun-misc-unsafe-memory-access=allow");

    private final Installation installation;

    public Contestants(Installation installation) {
        this.installation = installation;
    }

    /** The name of our server on that backend. */
    public static String nameOf(Backend backend) {
        return OURS + backend.id();
    }

    /**
     * Our server on the backend of that id.
     *
     * @throws Refusal when there is none of that name, or not on this machine
     */
    public Contestant ours(String backendId) {
        Backend backend = backend(backendId);
        String reason = backend.unavailableBecause();
        if (reason != null) {
            throw new Refusal("backend " + backend.id() + " is not available here: " + reason);
        }
        return new Contestant(
                nameOf(backend), KernelInterface.of(backend), true, true, installation.command(serve(backend)));
    }

    /**
     * Our server on that backend without one of its rungs.
     *
     * @throws UnknownName when the backend has no such rung
     */
    public Contestant oursWithout(Backend backend, String rung) {
        List<String> command = new ArrayList<>(serve(backend));
        command.add("--mask");
        command.add(rung(backend, rung));
        return new Contestant(
                nameOf(backend) + "-no-" + rung,
                KernelInterface.of(backend),
                true,
                true,
                Optional.of(rung),
                installation.command(command));
    }

    private static List<String> serve(Backend backend) {
        return List.of(
                "serve", "echo", "--backend", backend.id(), "--host", HOST, "--port", ANY_PORT, "--until-stdin-ends");
    }

    /** The rung of that name of the backend; the refusal lists those there are. */
    public static String rung(Backend backend, String name) {
        List<String> known = backend.maskableRungs();
        if (!known.contains(name)) {
            throw new UnknownName("rung of " + backend.id(), name, known);
        }
        return name;
    }

    /** The backend of that name; the refusal lists those there are. */
    public static Backend backend(String id) {
        try {
            return Backend.named(id);
        } catch (IllegalArgumentException unknown) {
            throw new UnknownName("backend", id, Backend.ids());
        }
    }

    /**
     * The peer of that name.
     *
     * @throws Refusal when there is none of that name, or it cannot be built here
     */
    public Contestant peer(String name) {
        if (!PEERS.contains(name)) {
            throw new UnknownName("peer", name, PEERS);
        }
        boolean inC = name.startsWith(YARDSTICK);
        return new Contestant(name, interfaceOf(name), false, !inC, inC ? yardstick(name) : javaPeer(name));
    }

    /** Peers that can run here, and the others with their reasons. */
    public Map<String, String> unavailablePeers() {
        Map<String, String> reasons = new TreeMap<>();
        for (String name : PEERS) {
            try {
                peer(name);
            } catch (Refusal refusal) {
                reasons.put(name, String.valueOf(refusal.getMessage()));
            }
        }
        return reasons;
    }

    private List<String> yardstick(String name) {
        Path program = new Yardstick(installation.root()).program();
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.add(name.substring(YARDSTICK.length()));
        command.add(HOST);
        command.add(ANY_PORT);
        return command;
    }

    private List<String> javaPeer(String name) {
        Path target = installation.root().resolve("peers").resolve("target");
        Path jar = target.resolve("headrace-peers.jar");
        if (!Files.isReadable(jar)) {
            throw new Refusal(
                    "peer " + name + " is not built (" + jar + " is missing): run ./mvnw -q package -DskipTests");
        }
        return installation.java(
                jar + ":" + target.resolve("lib") + "/*",
                "dev.headrace.peers.Peer",
                name.startsWith(NETTY) ? NETTY_FLAGS : List.of(),
                name,
                HOST,
                ANY_PORT);
    }

    private static KernelInterface interfaceOf(String peer) {
        return peer.endsWith("io_uring")
                ? KernelInterface.IO_URING
                : peer.endsWith("epoll-et") ? KernelInterface.EPOLL_EDGE : KernelInterface.EPOLL;
    }
}
