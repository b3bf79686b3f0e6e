package dev.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Backend;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is asked wrongly or cannot be had is one line on standard error and the right status. */
class RefusalsTest {
    @Test
    void anUnknownBackendIsAUsageErrorThatListsThoseThereAre() {
        for (Cli cli : new Cli[] {
            Cli.run("serve", "echo", "--backend", "iocp"),
            Cli.run("load", "echo", "127.0.0.1:7000", "--backend", "iocp"),
            Cli.run("compare", "--backends", "epoll,iocp")
        }) {
            assertThat(cli.status()).isEqualTo(2);
            assertThat(cli.errLines())
                    .containsExactly("headrace: unknown backend 'iocp': there are " + String.join(", ", Backend.ids()));
        }
    }

    @Test
    void anUnknownModeIsAUsageErrorThatListsThoseThereAre() {
        Cli cli = Cli.run("bench", "iocp", "100", "2");
        assertThat(cli.status()).isEqualTo(2);
        assertThat(cli.errLines())
                .containsExactly("headrace: unknown mode 'iocp': there are select, poll, epoll, epoll-et, io_uring,"
                        + " hybrid");
    }

    @Test
    void anUnknownRungIsAUsageErrorThatListsThoseThereAre() {
        String known = String.join(", ", Backend.IO_URING.maskableRungs());
        Cli compare = Cli.run("compare", "--backends", "io_uring,epoll-lt", "--peers", "none", "--mask", "ladder");
        assertThat(compare.status()).isEqualTo(2);
        assertThat(compare.errLines()).containsExactly("headrace: unknown rung 'ladder': there are " + known);
        Cli serve = Cli.run("serve", "echo", "--backend", "io_uring", "--port", "0", "--mask", "ladder");
        assertThat(serve.status()).isEqualTo(2);
        assertThat(serve.errLines()).containsExactly("headrace: unknown rung of io_uring 'ladder': there are " + known);
        String rung = Backend.IO_URING.maskableRungs().getFirst();
        assertThat(Cli.run("compare", "--backends", "epoll-lt", "--peers", "none", "--mask", rung)
                        .errLines())
                .containsExactly("headrace: unknown rung '" + rung + "': there are none");
    }

    @Test
    void anUnknownBackendInThePropertyIsAUsageErrorThatNamesTheProperty() {
        System.setProperty(Backend.PROPERTY, "iocp");
        try {
            Cli cli = Cli.run("serve", "echo", "--port", "0");
            assertThat(cli.status()).isEqualTo(2);
            assertThat(cli.errLines())
                    .singleElement()
                    .asString()
                    .contains(Backend.PROPERTY, "unknown backend 'iocp': there are io_uring");
        } finally {
            System.clearProperty(Backend.PROPERTY);
        }
    }

    @Test
    void anUnknownPeerIsAUsageErrorThatListsThoseThereAre() {
        Cli cli = Cli.run("compare", "--peers", "nginx");
        assertThat(cli.status()).isEqualTo(2);
        assertThat(cli.errLines())
                .singleElement()
                .asString()
                .startsWith("headrace: unknown peer 'nginx': there are jdk-nio, jdk-nio2, netty-nio, netty-epoll");
    }

    @Test
    void anUnknownWorkloadIsAUsageErrorThatListsThoseThereAre() {
        for (Cli cli : new Cli[] {Cli.run("serve", "ftp"), Cli.run("load", "ftp"), Cli.run("compare", "ftp")}) {
            assertThat(cli.status()).isEqualTo(2);
            assertThat(cli.errLines())
                    .singleElement()
                    .asString()
                    .startsWith("headrace: unknown workload 'ftp': there are echo");
        }
    }

    @Test
    void anUnknownCommandIsAUsageErrorThatListsThoseThereAre() {
        Cli cli = Cli.run("race");
        assertThat(cli.status()).isEqualTo(2);
        assertThat(cli.err()).contains("unknown command 'race': there are compare, bench, serve, load");
    }

    @Test
    void aMissingCommandOrWorkloadIsAUsageError() {
        assertThat(Cli.run().errLines())
                .singleElement()
                .asString()
                .contains("name a command: compare, bench, serve, load");
        assertThat(Cli.run("serve").errLines()).singleElement().asString().contains("name a workload: echo");
        assertThat(Cli.run("load").status()).isEqualTo(2);
    }

    @Test
    void badOptionsAndAmountsAreUsageErrors() {
        String[][] commands = {
            {"compare", "--conections", "7"},
            {"compare", "-c", "0"},
            {"compare", "-c", "many"},
            {"compare", "-d", "1ms"},
            {"compare", "-d", "soon"},
            {"compare", "--peers", "none,c-epoll"},
            {"load", "echo"},
            {"load", "echo", "somewhere"},
            {"load", "echo", "127.0.0.1:7000", "--size", "0"},
            {"serve", "echo", "--port", "70000"},
            {"serve", "echo", "--loops", "0"},
            {"serve", "echo", "--listeners", "many"},
            {"serve", "echo", "--pin", "first"},
            {"serve", "echo", "--pin", "9999"},
            {"bench", "epoll"},
            {"bench", "epoll", "100", "2", "--active", "0"},
            {"bench", "epoll", "0", "2"},
            {"bench", "epoll", "-5", "2"},
            {"bench", "epoll", "100", "0"},
            {"bench", "epoll", "100", "-2"},
            {"bench", "epoll", "100", "soon"},
            {"bench", "epoll", "100", "2", "3"}
        };
        for (String[] command : commands) {
            Cli cli = Cli.run(command);
            assertThat(cli.status()).as(String.join(" ", command)).isEqualTo(2);
            assertThat(cli.errLines()).as(String.join(" ", command)).hasSize(1);
            assertThat(cli.out()).isEmpty();
        }
    }

    @Test
    void aPortInUseNamesCauseAndRemedy() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Cli cli = Cli.run("serve", "echo", "--port", String.valueOf(taken.getLocalPort()));
            assertThat(cli.status()).isEqualTo(1);
            assertThat(cli.errLines()).singleElement().asString().contains("in use", "--port");
        }
    }

    @Test
    void anUnresolvableHostNamesCauseAndRemedy() {
        for (Cli cli : new Cli[] {
            Cli.run("load", "echo", "nowhere.invalid:7000"), Cli.run("serve", "echo", "--host", "nowhere.invalid")
        }) {
            assertThat(cli.status()).isEqualTo(1);
            assertThat(cli.errLines())
                    .singleElement()
                    .asString()
                    .startsWith("headrace: host 'nowhere.invalid' cannot be resolved: check its spelling");
        }
    }

    @Test
    void anAddressOfAnotherMachineCannotBeListenedOn() {
        Cli cli = Cli.run("serve", "echo", "--host", "192.0.2.1");
        assertThat(cli.status()).isEqualTo(1);
        assertThat(cli.errLines()).singleElement().asString().contains("192.0.2.1", "--host");
    }

    @Test
    void aRefusedConnectionNamesCauseAndRemedy() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = socket.getLocalPort();
        }
        Cli cli = Cli.run("load", "echo", "127.0.0.1:" + port, "-c", "3", "-d", "1s");
        assertThat(cli.status()).isEqualTo(1);
        assertThat(cli.errLines())
                .singleElement()
                .asString()
                .startsWith("headrace: cannot connect to 127.0.0.1:" + port)
                .contains("refused")
                .endsWith("start a server there, or check host and port");
    }

    @Test
    void tooManyConnectionsNameLimitNeedAndRemedy() {
        for (Cli cli : new Cli[] {
            Cli.run("load", "echo", "127.0.0.1:7000", "-c", "900M"),
            Cli.run("compare", "-c", "100,900M"),
            Cli.run("bench", "epoll", "900M", "1")
        }) {
            assertThat(cli.status()).isEqualTo(1);
            assertThat(cli.err())
                    .contains("900000000 connections need 900000100 descriptors")
                    .contains("ulimit -n");
        }
    }

    @Test
    void aRecordThatCannotBeWrittenIsRefusedBeforeTheRace(@TempDir Path directory) {
        Cli cli = Cli.run(
                "compare", "--json", directory.resolve("missing/record.json").toString());
        assertThat(cli.status()).isEqualTo(1);
        assertThat(cli.errLines())
                .singleElement()
                .asString()
                .contains("cannot write")
                .contains("directory");
    }

    @Test
    void moreConnectionsThanSelectCanHaveAreRefusedToTheLoad() {
        Cli cli = Cli.run("load", "echo", "127.0.0.1:7000", "-c", "1000", "--backend", "select");
        assertThat(cli.status()).isEqualTo(1);
        assertThat(cli.errLines())
                .singleElement()
                .asString()
                .contains("1000 connections", "below 1024", "at most 924")
                .endsWith("name another with --backend");
    }

    @Test
    void debugShowsTheStackTraceAndNothingElseDoes() {
        Cli debug = Cli.run("--debug", "serve", "echo", "--host", "nowhere.invalid");
        assertThat(debug.status()).isEqualTo(1);
        assertThat(debug.err()).startsWith("headrace: host").contains("\tat dev.headrace");
        assertThat(Cli.run("compare", "--peers", "nginx", "--debug").err()).contains("\tat dev.headrace");
    }

    @Test
    void helpAndVersionGoToStandardOutput() {
        Cli help = Cli.run("compare", "--help");
        assertThat(help.status()).isZero();
        assertThat(help.out())
                .contains("--backends", "--peers", "--depth", "--rounds", "--full", "--mask", "--active", "--json");
        assertThat(Cli.run("--version").out()).startsWith("headrace ");
        assertThat(Cli.run("serve", "echo", "--help").out()).doesNotContain("until-stdin-ends");
    }
}
