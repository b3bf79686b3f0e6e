package dev.headrace.lab.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.engine.Backend;
import dev.headrace.lab.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContestantsTest {
    @TempDir
    Path root;

    @Test
    void unknownNamesListThoseThereAre() {
        assertThatThrownBy(() -> contestants().peer("nginx"))
                .isInstanceOf(UnknownName.class)
                .hasMessage("unknown peer 'nginx': there are jdk-nio, jdk-nio2, netty-nio, netty-epoll,"
                        + " netty-io_uring, c-epoll, c-epoll-et, c-io_uring");
        assertThatThrownBy(() -> contestants().ours("iocp"))
                .isInstanceOf(UnknownName.class)
                .hasMessageContaining("unknown backend 'iocp'")
                .hasMessageContaining("io_uring, epoll-lt");
    }

    @Test
    void ourServersAreStartedByTheCommandLine() {
        Contestant epoll = contestants().ours("epoll");
        assertThat(epoll.name()).isEqualTo("headrace-epoll-lt");
        assertThat(epoll.ours()).isTrue();
        assertThat(epoll.command())
                .startsWith("/jdk/bin/java")
                .containsSubsequence("-cp", "a.jar", "Main", "serve", "echo", "--backend", "epoll-lt", "--port", "0");
    }

    @Test
    void aServerWithoutARungSaysSoInNameAndCommand() {
        String rung = Backend.IO_URING.maskableRungs().getFirst();
        Contestant without = contestants().oursWithout(Backend.IO_URING, rung);
        assertThat(without.name()).isEqualTo("headrace-io_uring-no-" + rung);
        assertThat(without.maskedRung()).hasValue(rung);
        assertThat(without.kernelInterface()).isEqualTo(KernelInterface.IO_URING);
        assertThat(without.command()).containsSubsequence("serve", "echo", "--backend", "io_uring", "--mask", rung);
        assertThatThrownBy(() -> contestants().oursWithout(Backend.IO_URING, "ladder"))
                .isInstanceOf(UnknownName.class)
                .hasMessageStartingWith("unknown rung of io_uring 'ladder': there are ")
                .hasMessageContaining(rung);
        assertThatThrownBy(() -> contestants().oursWithout(Backend.EPOLL, rung))
                .hasMessage("unknown rung of epoll-lt '" + rung + "': there are none");
    }

    @Test
    void aPeerThatIsNotBuiltSaysHowToBuildIt() {
        assertThatThrownBy(() -> contestants().peer("netty-epoll"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("peer netty-epoll is not built")
                .hasMessageContaining("./mvnw");
    }

    @Test
    void javaPeersAreToldTheirName() throws Exception {
        Path target = Files.createDirectories(root.resolve("peers/target"));
        Files.createFile(target.resolve("headrace-peers.jar"));
        Contestant netty = contestants().peer("netty-io_uring");
        assertThat(netty.kernelInterface()).isEqualTo(KernelInterface.IO_URING);
        assertThat(netty.ours()).isFalse();
        assertThat(netty.command())
                .contains("--sun-misc-unsafe-memory-access=allow")
                .containsSubsequence("dev.headrace.peers.Peer", "netty-io_uring", "127.0.0.1", "0");
        assertThat(contestants().peer("jdk-nio").kernelInterface()).isEqualTo(KernelInterface.EPOLL);
    }

    @Test
    void theYardstickIsCompiledWhenItIsMissingOrOld() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "there is no C compiler");
        Path source = source("int main(void) { return 0; }");
        Contestant contestant = contestants().peer("c-io_uring");
        Path program = Path.of(contestant.command().getFirst());
        assertThat(contestant.command()).containsExactly(program.toString(), "io_uring", "127.0.0.1", "0");
        assertThat(contestant.warmsUp()).isFalse();
        assertThat(new ProcessBuilder(program.toString()).start().waitFor()).isZero();
        Contestant edge = contestants().peer("c-epoll-et");
        assertThat(edge.command()).containsExactly(program.toString(), "epoll-et", "127.0.0.1", "0");
        assertThat(edge.kernelInterface()).isEqualTo(KernelInterface.EPOLL_EDGE);

        FileTime built = Files.getLastModifiedTime(program);
        contestants().peer("c-epoll");
        assertThat(Files.getLastModifiedTime(program)).isEqualTo(built);

        Files.writeString(source, "int main(void) { return 7; }");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
        contestants().peer("c-epoll");
        assertThat(new ProcessBuilder(program.toString()).start().waitFor()).isEqualTo(7);
    }

    @Test
    void aYardstickThatDoesNotCompileShowsTheError() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "there is no C compiler");
        source("int main(void) { return nothing; }");
        assertThatThrownBy(() -> contestants().peer("c-epoll"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("does not compile")
                .hasMessageContaining("error");
        assertThat(contestants().unavailablePeers()).containsKeys("c-epoll", "jdk-nio");
    }

    private Path source(String text) throws Exception {
        Path directory = Files.createDirectories(root.resolve("perf/yardstick"));
        return Files.writeString(directory.resolve("main.c"), text);
    }

    private Contestants contestants() {
        return new Contestants(new Installation(root, Path.of("/jdk/bin/java"), "a.jar", "Main"));
    }

    @Test
    void aCoreEachForServersAndLoad() {
        assertThat(Placement.choose(List.of(0)).apart()).isFalse();
        assertThat(Placement.choose(List.of(0)).describe()).contains("share core 0");
        Placement two = Placement.choose(List.of(0, 1));
        assertThat(two.apart()).isTrue();
        assertThat(two.describe()).isEqualTo("servers on core 1, load on core 0");
    }
}
