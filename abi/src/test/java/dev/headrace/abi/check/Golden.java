package dev.headrace.abi.check;

import dev.headrace.abi.Architecture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results kept from a machine that had all other sources: one line {@code key=number sources} for each claim,
 * sorted. It is written anew with {@code -Dabi.golden.write=true}.
 */
final class Golden implements Source {
    private static final Path FOLDER = Path.of("src/test/resources/abi");

    private final Map<String, Long> numbers;

    private Golden(Map<String, Long> numbers) {
        this.numbers = numbers;
    }

    static Golden of(Architecture architecture) throws IOException {
        Map<String, Long> numbers = new TreeMap<>();
        try (InputStream stream = Golden.class.getResourceAsStream("/abi/" + fileName(architecture))) {
            if (stream == null) {
                return new Golden(numbers);
            }
            for (String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                int equals = line.indexOf('=');
                int blank = line.indexOf(' ', equals);
                numbers.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1, blank)));
            }
        }
        return new Golden(numbers);
    }

    /** Keeps what a check has confirmed. */
    static void write(Architecture architecture, AbiCheck check) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Claim claim : check.claims()) {
            lines.add(claim.key() + "=" + claim.value() + " " + String.join(", ", check.sourcesOf(claim)));
        }
        lines.sort(null);
        Files.createDirectories(FOLDER);
        Files.writeString(FOLDER.resolve(fileName(architecture)), String.join("\n", lines) + "\n");
    }

    private static String fileName(Architecture architecture) {
        return architecture.name().toLowerCase(Locale.ROOT) + ".golden";
    }

    Map<String, Long> numbers() {
        return numbers;
    }

    @Override
    public String name() {
        return "golden";
    }

    @Override
    public Answer answer(Claim claim) {
        Long number = numbers.get(claim.key());
        return number == null ? Answer.UNKNOWN : Answer.found(claim, number);
    }
}
