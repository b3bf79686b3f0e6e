package dev.headrace.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a program that is executed meanwhile would take along. */
class InheritanceTest {
    private static final Path OWN = Path.of("/proc/self/fd");
    private static final int O_CLOEXEC = 0_2000000;

    @Fault({21, 22})
    @EveryBackend
    void noDescriptorSurvivesAnExec(Setting setting) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(Server.anyPort());
            Set<String> others = descriptors();
            try (Server server = Server.echo(setting)) {
                socket.connect(server.address());
                Peer peer = Peer.of(socket);
                peer.send("there");
                peer.expect("there");
                Set<String> ours = descriptors();
                ours.removeAll(others);
                assertThat(ours).as("at least a listener and a connection").hasSizeGreaterThanOrEqualTo(2);
                for (String number : ours) {
                    assertThat(flags(number) & O_CLOEXEC)
                            .as("close-on-exec of " + Files.readSymbolicLink(OWN.resolve(number)))
                            .isEqualTo(O_CLOEXEC);
                }
            }
        }
    }

    /** The numbers of all sockets, rings, pollers and eventfds. */
    private static Set<String> descriptors() throws IOException {
        Set<String> numbers = new HashSet<>();
        List<Path> entries;
        try (Stream<Path> listed = Files.list(OWN)) {
            entries = listed.toList();
        }
        for (Path entry : entries) {
            // The listing had a descriptor of its own.
            if (Files.isSymbolicLink(entry)) {
                String target = Files.readSymbolicLink(entry).toString();
                if (target.startsWith("socket:") || target.startsWith("anon_inode:")) {
                    numbers.add(String.valueOf(entry.getFileName()));
                }
            }
        }
        return numbers;
    }

    private static int flags(String number) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/fdinfo", number))) {
            String line = lines.filter(l -> l.startsWith("flags:")).findFirst().orElseThrow();
            return Integer.parseInt(line.replaceAll("\\D", ""), 8);
        }
    }
}
