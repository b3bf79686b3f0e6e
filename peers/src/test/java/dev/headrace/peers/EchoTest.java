package dev.headrace.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every server that a comparison may run against gives back exactly what it was given. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EchoTest {
    private static final int MEBIBYTE = 1 << 20;

    private final List<Target> targets = new ArrayList<>();

    @BeforeAll
    void listTargets(@TempDir Path directory) throws IOException, InterruptedException {
        for (PeerKind kind : PeerKind.values()) {
            targets.add(Target.of(kind));
        }
        targets.addAll(Yardstick.targets(directory));
    }

    List<Target> targets() {
        return targets;
    }

    @ParameterizedTest
    @MethodSource("targets")
    void echoesExactly(Target target) throws Exception {
        try (ServerProcess server = target.start()) {
            System.out.println(target + ": " + server.configuration());
            for (int bytes : new int[] {1, 100, MEBIBYTE}) {
                byte[] sent = bytes(bytes);
                try (Socket socket = server.connect()) {
                    CompletableFuture<Void> sending = send(socket, sent, false);
                    assertThat(socket.getInputStream().readNBytes(bytes)).isEqualTo(sent);
                    sending.join();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void answersEverythingAfterTheEndOfInputAndThenCloses(Target target) throws Exception {
        byte[] sent = bytes(4 * MEBIBYTE);
        try (ServerProcess server = target.start();
                Socket socket = server.connect()) {
            CompletableFuture<Void> sending = send(socket, sent, true);
            Thread.sleep(200); // the server's output fills up, and waits
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(sent);
            sending.join();
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void survivesResets(Target target) throws Exception {
        try (ServerProcess server = target.start()) {
            for (int i = 0; i < 50; i++) {
                try (Socket socket = server.connect()) {
                    socket.setSoLinger(true, 0);
                    socket.getOutputStream().write(bytes(20_000));
                }
            }
            try (Socket socket = server.connect()) {
                send(socket, bytes(100), true).join();
                assertThat(socket.getInputStream().readAllBytes()).isEqualTo(bytes(100));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void endsWithItsInput(Target target) throws Exception {
        try (ServerProcess server = target.start();
                Socket socket = server.connect()) {
            send(socket, bytes(1), false).join(); // an answer proves that it was accepted: else its end is a reset
            assertThat(socket.getInputStream().readNBytes(1)).isEqualTo(bytes(1));
            assertThat(server.endInput()).isZero();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    private static CompletableFuture<Void> send(Socket socket, byte[] bytes, boolean end) {
        return CompletableFuture.runAsync(() -> {
            try {
                OutputStream out = socket.getOutputStream();
                out.write(bytes);
                if (end) {
                    socket.shutdownOutput();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
