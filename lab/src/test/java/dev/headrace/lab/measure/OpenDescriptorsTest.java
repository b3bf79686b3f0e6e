package dev.headrace.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpenDescriptorsTest {
    @Test
    @Timeout(20)
    void findsTheHighestNumberOfAProcess() throws Exception {
        Process process = new ProcessBuilder(
                        "/bin/sh", "-c", "exec 9</dev/null; echo open; read line; exec 9<&-; echo closed; read line")
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("open");
            assertThat(OpenDescriptors.highestOf(process.pid())).hasValue(9);
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            assertThat(out.readLine()).isEqualTo("closed");
            assertThat(OpenDescriptors.highestOf(process.pid()).orElseThrow()).isLessThan(9);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(OpenDescriptors.highestOf(process.pid())).isEmpty();
    }
}
