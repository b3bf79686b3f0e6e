package dev.headrace.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.headrace.abi.linux.EpollEvent;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    @Test
    void namesOfTheJdkAreKnown() {
        assertEquals(Architecture.X86_64, Architecture.named("amd64"));
        assertEquals(Architecture.X86_64, Architecture.named("x86_64"));
        assertEquals(Architecture.AARCH64, Architecture.named("aarch64"));
        assertEquals(Architecture.OTHER, Architecture.named("riscv64"));
    }

    @Test
    void layoutsDiffer() {
        assertEquals(12, EpollEvent.size(Architecture.X86_64));
        assertEquals(16, EpollEvent.size(Architecture.AARCH64));
    }

    @Test
    void anUnknownArchitectureIsRefusedWhenItsValuesAreAskedFor() {
        Exception refusal =
                assertThrows(UnsupportedOperationException.class, () -> EpollEvent.size(Architecture.OTHER));
        assertTrue(refusal.toString().endsWith("os.arch=" + System.getProperty("os.arch")), refusal::toString);
    }
}
