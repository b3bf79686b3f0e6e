package dev.headrace.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Backend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelInterfaceTest {
    @ParameterizedTest
    @EnumSource
    void everyBackendIsAKernelInterface(Backend backend) {
        assertThat(KernelInterface.of(backend)).isNotNull();
    }

    @Test
    void selectEndsBelowTheSizeOfItsSets() {
        assertThat(KernelInterface.SELECT.limitBelow(924)).isEmpty();
        assertThat(KernelInterface.SELECT.limitBelow(925)).hasValueSatisfying(limit -> {
            assertThat(limit.inPlaceOfFigures()).isEqualTo("n/a (FD_SETSIZE)");
            assertThat(limit.reason()).contains("below 1024").endsWith("at most 924 connections");
        });
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SELECT")
    void theOthersHaveNoSuchLimit(KernelInterface other) {
        assertThat(other.limitBelow(Integer.MAX_VALUE)).isEmpty();
    }
}
