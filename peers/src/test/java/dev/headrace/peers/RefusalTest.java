package dev.headrace.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rival that cannot start says why in one line, and what to do. */
class RefusalTest {
    @Test
    void unknownNameListsThoseThereAre() {
        assertThatExceptionOfType(ServerProcess.Refused.class)
                .isThrownBy(() -> ServerProcess.start(ServerProcess.peer("netty", "127.0.0.1", "0")))
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2))
                .withMessageContaining("jdk-nio, jdk-nio2, netty-nio, netty-epoll, netty-io_uring");
    }

    @Test
    void portThatIsNoneIsAUsageError() {
        assertThatExceptionOfType(ServerProcess.Refused.class)
                .isThrownBy(() -> ServerProcess.start(ServerProcess.peer("jdk-nio", "127.0.0.1", "65536")))
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(2));
    }

    @ParameterizedTest
    @EnumSource
    void busyPortIsNamed(PeerKind kind) throws Exception {
        if (kind.unavailableBecause() != null) {
            return; // EchoTest says so, and fails where it must not be
        }
        try (ServerProcess first = ServerProcess.start(ServerProcess.peer("jdk-nio", "127.0.0.1", "0"))) {
            String port = Integer.toString(first.port());
            assertThatExceptionOfType(ServerProcess.Refused.class)
                    .isThrownBy(() -> ServerProcess.start(ServerProcess.peer(kind.toString(), "127.0.0.1", port)))
                    .satisfies(e -> assertThat(e.exitCode()).isEqualTo(1))
                    .satisfies(e -> assertThat(e.reason().lines()).hasSize(1))
                    .withMessageContaining("port " + port)
                    .withMessageContaining("in use")
                    .withMessageContaining("give port 0");
        }
    }
}
