package dev.headrace.lab.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Looks up how the running kernel was built, where it tells.
 *
 * <p>Thread: any; the answer is found once.
 */
final class KernelConfig {
    private static final boolean INTERRUPT_TIME_APART = has("CONFIG_IRQ_TIME_ACCOUNTING=y");

    private KernelConfig() {}

    /**
     * Whether time in interrupts, receiving from the network included, is not part of the run time of the process it
     * interrupted. False when the kernel does not tell.
     */
    static boolean interruptTimeIsApart() {
        return INTERRUPT_TIME_APART;
    }

    private static boolean has(String line) {
        try (InputStream config = open();
                BufferedReader reader = new BufferedReader(new InputStreamReader(config, StandardCharsets.US_ASCII))) {
            return reader.lines().anyMatch(line::equals);
        } catch (IOException unknown) {
            return false;
        }
    }

    private static InputStream open() throws IOException {
        Path embedded = Path.of("/proc/config.gz");
        if (Files.isReadable(embedded)) {
            return new GZIPInputStream(Files.newInputStream(embedded));
        }
        return Files.newInputStream(Path.of("/boot/config-" + Host.kernelRelease()));
    }
}
