package dev.headrace.lab.measure;

import dev.headrace.engine.Backend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes the machine a figure was taken on.
 *
 * <p>Thread: any; immutable.
 *
 * @param kernel release of the running kernel
 * @param architecture as Java names it
 * @param cores how many this process may use
 * @param cpu the model, as the kernel prints it
 * @param memoryBytes of the machine
 * @param jdk version and vendor of the running Java
 * @param backends available ones by id
 * @param unavailable the others, each with one line why
 */
public record Host(
        String kernel,
        String architecture,
        int cores,
        String cpu,
        long memoryBytes,
        String jdk,
        List<String> backends,
        Map<String, String> unavailable) {
    private static final String UNKNOWN = "unknown";

    public Host {
        backends = List.copyOf(backends);
        unavailable = Map.copyOf(unavailable);
    }

    /** Looks around. Trying the backends takes some milliseconds. */
    public static Host look() {
        List<String> available = new ArrayList<>();
        Map<String, String> unavailable = new LinkedHashMap<>();
        for (Backend backend : Backend.values()) {
            String reason = backend.unavailableBecause();
            if (reason == null) {
                available.add(backend.id());
            } else {
                unavailable.put(backend.id(), reason);
            }
        }
        return new Host(
                kernelRelease(),
                System.getProperty("os.arch", UNKNOWN),
                Cores.allowed().size(),
                firstOf(Path.of("/proc/cpuinfo"), "model name", "CPU part"),
                totalMemoryBytes(),
                Runtime.version() + " (" + System.getProperty("java.vendor", UNKNOWN) + ")",
                available,
                unavailable);
    }

    /** One line: kernel, cores, backends available and why others are not. */
    public String describe() {
        StringBuilder line = new StringBuilder("Linux " + kernel + ", " + cores + (cores == 1 ? " core" : " cores")
                + " (" + cpu + "), backends: " + String.join(", ", backends));
        unavailable.forEach((id, reason) -> line.append("; not available: ")
                .append(id)
                .append(" (")
                .append(reason)
                .append(')'));
        return line.toString();
    }

    static String kernelRelease() {
        String release = read(Path.of("/proc/sys/kernel/osrelease"));
        return release == null ? UNKNOWN : release.strip();
    }

    private static long totalMemoryBytes() {
        String total = firstOf(Path.of("/proc/meminfo"), "MemTotal");
        String kibibytes = total.replaceAll("\\D", "");
        return kibibytes.isEmpty() ? 0 : Long.parseLong(kibibytes) * 1024;
    }

    /** The value of the first line of a "key : value" file that has one of the keys. */
    private static String firstOf(Path file, String... keys) {
        String text = read(file);
        if (text == null) {
            return UNKNOWN;
        }
        for (String key : keys) {
            for (String line : text.lines().toList()) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
                    return line.substring(colon + 1).strip();
                }
            }
        }
        return UNKNOWN;
    }

    private static @Nullable String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }
}
