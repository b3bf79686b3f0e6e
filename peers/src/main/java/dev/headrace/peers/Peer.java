package dev.headrace.peers;

import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs one rival: {@code Peer NAME HOST PORT}, port 0 for a free one.
 *
 * <p>When it listens it prints exactly one line, {@code listening on HOST:PORT | CONFIGURATION}, and serves until its
 * standard input ends (the parent is gone) or it is terminated. Exit codes: 0 parent gone, 1 cannot serve, 2 usage.
 *
 * <p>Thread: the main thread only waits for the end of standard input.
 */
public final class Peer {
    /** A killed predecessor's port can stay busy for a moment (up to about 200 ms were seen). */
    private static final int BIND_TRIES = 50;

    private static final long BIND_PAUSE_MILLIS = 20;

    private Peer() {}

    /** Starts the rival that the arguments name. */
    public static void main(String[] arguments) {
        Optional<PeerKind> kind = arguments.length == 3 ? PeerKind.named(arguments[0]) : Optional.empty();
        int port = arguments.length == 3 ? port(arguments[2]) : -1;
        if (kind.isEmpty() || port < 0) {
            System.err.println("usage: Peer NAME HOST PORT; NAME is one of " + PeerKind.names()
                    + "; PORT is 0 (a free one) to 65535");
            System.exit(2);
            return;
        }
        String refusal = run(kind.get(), arguments[1], port);
        if (refusal != null) {
            System.err.println("peer " + kind.get() + ": " + refusal);
            System.exit(1);
        }
        awaitEndOfInput();
        // The group's threads own nothing that must be put away: the kernel closes the sockets.
        Runtime.getRuntime().halt(0);
    }

    /** Returns the reason, with a remedy, if the server cannot serve. */
    private static @Nullable String run(PeerKind kind, String host, int port) {
        String reason = kind.unavailableBecause();
        if (reason != null) {
            return reason;
        }
        try {
            // Resolved here: a name that does not resolve is reported as such.
            InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
            EchoServer server = kind.server();
            InetSocketAddress bound = startPatiently(server, address);
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            out.println("listening on " + text(bound) + " | " + server.configuration());
            return null;
        } catch (UnknownHostException e) {
            return "cannot resolve " + host + "; give an address of this machine";
        } catch (BindException e) {
            return "cannot listen on " + host + " port " + port + ": " + e.getMessage()
                    + "; stop the process that has the port, give port 0 for a free one, or another address";
        } catch (SocketException e) {
            return "cannot listen on " + host + " port " + port + ": " + e.getMessage()
                    + "; give a port above 1023 and an address of this machine";
        } catch (IOException e) {
            return "cannot start: " + e.getMessage() + "; raise the descriptor limit (ulimit -n)";
        }
    }

    private static InetSocketAddress startPatiently(EchoServer server, InetSocketAddress address) throws IOException {
        for (int i = 1; ; i++) {
            try {
                return server.start(address);
            } catch (BindException e) {
                boolean busy = String.valueOf(e.getMessage()).contains("in use");
                if (!busy || i == BIND_TRIES) {
                    throw e;
                }
            }
            try {
                Thread.sleep(BIND_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }
    }

    private static void awaitEndOfInput() {
        byte[] ignored = new byte[256];
        try {
            while (System.in.read(ignored) >= 0) {}
        } catch (IOException e) {
            // The other end is gone in another way.
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** The number of the port, -1 if it is none. */
    private static int port(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65535 ? Integer.parseInt(text) : -1;
    }
}
