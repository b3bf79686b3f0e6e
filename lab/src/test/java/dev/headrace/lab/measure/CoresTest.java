package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.lab.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
    @Test
    void readsListsOfTheKernel() {
        assertThat(Cores.parseList("0")).containsExactly(0);
        assertThat(Cores.parseList("0-2,8")).containsExactly(0, 1, 2, 8);
    }

    @Test
    void confinesTheThreadAndGivesItsCoresBack() throws Exception {
        List<Integer> before = Cores.allowed();
        List<Integer> last = List.of(before.getLast());
        assertThat(Cores.confinedTo(last, Cores::allowed)).isEqualTo(last);
        assertThat(Cores.allowed()).isEqualTo(before);
    }

    @Test
    void processesInheritTheChoice() throws Exception {
        int last = Cores.allowed().getLast();
        Process child = Cores.confinedTo(
                List.of(last), new ProcessBuilder("grep", "Cpus_allowed_list", "/proc/self/status")::start);
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(said.strip()).endsWith("\t" + last);
    }

    @Test
    void givesTheCoresBackWhenTheTaskFails() {
        List<Integer> before = Cores.allowed();
        assertThatThrownBy(() -> Cores.confinedTo(List.of(before.getFirst()), () -> {
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        assertThat(Cores.allowed()).isEqualTo(before);
    }

    @Test
    void aCoreThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> Cores.confinedTo(List.of(1023), () -> 1))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("EINVAL");
    }
}
