package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.headrace.lab.Refusal;
import org.junit.jupiter.api.Test;

class SystemCallCountTest {
    private static final int BLOCKS = 20_000;

    @Test
    void countsTheCallsOfAProcess() throws Exception {
        long tracepoint = tracepoint();
        // It begins when it has been told to, so that not one call is missed.
        Process child = new ProcessBuilder(
                        "sh", "-c", "read go; exec dd if=/dev/zero of=/dev/null bs=1 count=" + BLOCKS + " 2>/dev/null")
                .start();
        try (SystemCallCount count = SystemCallCount.open(child.pid(), tracepoint)) {
            child.getOutputStream().write('\n');
            child.getOutputStream().close();
            child.waitFor();
            // A read and a write for each block, and what starting a program takes.
            assertThat(count.total()).isBetween(2L * BLOCKS, 2L * BLOCKS + 1000);
        } catch (Refusal refusal) {
            abort(String.valueOf(refusal.getMessage()));
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void aProcessThatIsGoneIsRefused() {
        assertThatThrownBy(() -> SystemCallCount.open(Integer.MAX_VALUE, 1))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("is gone");
    }

    private static long tracepoint() {
        try {
            return Tracepoint.systemCallEntry();
        } catch (Refusal refusal) {
            return abort(String.valueOf(refusal.getMessage()));
        }
    }
}
