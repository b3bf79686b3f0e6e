package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuTicksTest {
    @Test
    void readsUserAndSystemTimeBehindACommandWithBracketsAndSpaces() {
        String stat = "42 (a) (b c) S 1 42 42 0 -1 4194560 100 0 0 0 17 29 0 0 20 0 1 0 100 1000 10";
        assertThat(CpuTicks.parse(stat)).isEqualTo(new CpuTicks(17, 29));
    }

    @Test
    void countsThisProcess() {
        CpuTicks ticks = CpuTicks.of(ProcessHandle.current().pid());
        assertThat(ticks.user() + ticks.system()).isPositive();
    }

    @Test
    void aProcessThatIsGoneHasNone() {
        assertThat(CpuTicks.of(Integer.MAX_VALUE)).isEqualTo(CpuTicks.NONE);
    }
}
