package dev.headrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The descriptors that this process has open. */
public final class Descriptors {
    private static final Path OWN = Path.of("/proc/self/fd");

    private Descriptors() {}

    public static long count() throws IOException {
        try (Stream<Path> entries = Files.list(OWN)) {
            return entries.count();
        }
    }

    /** Sooner or later no more than that many are open. */
    public static void awaitAtMost(long expected) {
        await().untilAsserted(() -> assertThat(count()).as("open descriptors").isLessThanOrEqualTo(expected));
    }
}
