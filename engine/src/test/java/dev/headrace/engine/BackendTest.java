package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Capabilities.Rung;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of a backend, by name and by itself. */
class BackendTest {
    @ParameterizedTest
    @CsvSource({"io_uring, IO_URING", "uring, IO_URING", "epoll-lt, EPOLL", "epoll, EPOLL"})
    void namesAndAliases(String name, Backend backend) {
        assertThat(Backend.named(name)).isEqualTo(backend);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "kqueue", "IO_URING", "epoll "})
    void anUnknownNameIsAnsweredWithThoseThereAre(String name) {
        assertThatThrownBy(() -> Backend.named(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("io_uring, epoll-lt");
    }

    @Test
    void idsAreInTheOrderOfPreference() {
        assertThat(Backend.ids()).containsExactly("io_uring", "epoll-lt", "epoll-et", "hybrid", "poll", "select");
    }

    @Test
    void theChoiceComesWithItsReason() {
        Backend.Choice choice = Backend.auto();
        assertThat(choice.reason()).isNotBlank().doesNotContain("\n");
        assertThat(choice.backend().unavailableBecause()).isNull();
        for (Backend better : Backend.values()) {
            if (better == choice.backend()) {
                break;
            }
            if (better == Backend.EPOLL_ET || better == Backend.HYBRID) {
                continue; // used when asked for, never as a fallback
            }
            assertThat(choice.rejected()).containsKey(better);
            assertThat(choice.reason()).contains(better.id());
        }
        assertThat(EngineOptions.defaults().backend()).isEqualTo(choice.backend());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void everyRungHasAReason(Backend backend) throws IOException {
        String because = backend.unavailableBecause();
        assumeTrue(because == null, because);
        Capabilities capabilities = backend.capabilities();
        assertThat(capabilities.rungs()).isNotEmpty().allSatisfy(rung -> {
            assertThat(rung.name()).isNotBlank();
            assertThat(rung.reason()).isNotBlank();
        });
        assertThat(capabilities.toString()).doesNotContain("\n");
    }

    @Test
    void capabilitiesNameWhatIsMissingWithTheReason() {
        Capabilities capabilities = new Capabilities.Builder()
                .add("multishot-receive", true, "tried")
                .add("restrictions", false, "EINVAL")
                .add("no-iowait", true, "tried")
                .build();
        assertThat(capabilities.toString()).isEqualTo("multishot-receive, no-iowait; without restrictions (EINVAL)");
        assertThat(capabilities.uses("no-iowait")).isTrue();
        assertThat(capabilities.uses("restrictions")).isFalse();
        assertThat(capabilities.uses("no-such-rung")).isFalse();
        assertThat(new Capabilities(List.of(new Rung("a", true, "b"))).toString())
                .isEqualTo("a");
    }
}
