package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessCpuTest {
    private static final String SPIN = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; read end";

    @Test
    void ownTimeGrowsWithWork() {
        ProcessCpu own = ProcessCpu.own();
        long before = own.nanos();
        long until = System.nanoTime() + 20_000_000L;
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
        assertThat(own.nanos()).isGreaterThan(before);
    }

    @Test
    void timeOfAnotherProcessAgreesWithItsTicks() throws Exception {
        Process child = new ProcessBuilder("sh", "-c", SPIN).start();
        try {
            ProcessCpu cpu = ProcessCpu.of(child.pid());
            long last = -1;
            while (cpu.nanos() != last) { // until it waits for the end of its input
                last = cpu.nanos();
                Thread.sleep(100);
            }
            CpuTicks ticks = CpuTicks.of(child.pid());
            double seconds = last / 1e9;
            assertThat(seconds).isGreaterThan(0.02);
            assertThat((ticks.user() + ticks.system()) / 100.0).isBetween(seconds * 0.9 - 0.03, seconds * 1.1 + 0.03);
        } finally {
            child.getOutputStream().close();
            assertThat(child.waitFor(5, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aProcessThatHasEndedIsGone() throws Exception {
        Process child = new ProcessBuilder("true").start();
        child.waitFor();
        assertThat(ProcessCpu.of(child.pid()).nanos()).isEqualTo(ProcessCpu.GONE);
    }
}
