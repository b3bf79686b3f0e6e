package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.lab.Refusal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsAndHostTest {
    @Test
    void tooFewDescriptorsAreRefusedWithNeedLimitAndRemedy() {
        assertThatThrownBy(() -> DescriptorLimit.require(1000, 1024))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("1000 connections need 1100 descriptors")
                .hasMessageContaining("the limit is 1024")
                .hasMessageContaining("ulimit -n 1100");
        assertThatCode(() -> DescriptorLimit.require(924, 1024)).doesNotThrowAnyException();
    }

    @Test
    void theLimitOfThisProcessIsKnown() {
        assertThat(DescriptorLimit.descriptors()).isGreaterThan(100);
    }

    @Test
    void hostNamesKernelCoresAndBackends() {
        Host host = Host.look();
        assertThat(host.describe()).startsWith("Linux " + host.kernel()).contains("backends: ");
        assertThat(host.cores()).isEqualTo(Cores.allowed().size());
        assertThat(host.memoryBytes()).isPositive();
        assertThat(host.backends().size() + host.unavailable().size()).isPositive();
    }

    @Test
    void hostSaysWhyABackendIsMissing() {
        Host host = new Host(
                "6.1", "amd64", 1, "cpu", 1, "25", List.of("epoll-lt"), Map.of("io_uring", "disabled by sysctl"));
        assertThat(host.describe())
                .isEqualTo("Linux 6.1, 1 core (cpu), backends: epoll-lt; not available: io_uring (disabled by sysctl)");
    }

    @Test
    void findsTheProcessThatListens() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(ListeningProcess.on(socket.getLocalPort()))
                    .hasValue(ProcessHandle.current().pid());
        }
    }

    @Test
    void readsTheInodeOfAListener() {
        String listener =
                "   0: 0100007F:1B58 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1";
        assertThat(ListeningProcess.inodeOfListener(listener, 7000)).isEqualTo("4711");
        assertThat(ListeningProcess.inodeOfListener(listener, 7001)).isEmpty();
        assertThat(ListeningProcess.inodeOfListener(listener.replace(" 0A ", " 01 "), 7000))
                .isEmpty();
        assertThat(ListeningProcess.inodeOfListener("  sl  local_address rem_address   st", 7000))
                .isEmpty();
    }
}
