package dev.headrace.difference;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.engine.Backend;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Scenarios made up from seeds, each played on every backend and on io_uring without any of its rungs: the traces must be
 * equal. {@code -Dseeds=N} plays so many, {@code -Dseed=N} one, with its trace.
 */
class DifferenceTest {
    private static final int SEEDS = 200;
    private static final int DIFFERENCES_SHOWN_MAX = 5;

    /** Kept, or its filter would be collected with it. */
    private static final Logger ENGINE_LOG = Logger.getLogger("dev.headrace.engine");

    static {
        ENGINE_LOG.setFilter(line -> !(line.getThrown() instanceof Actor.Planned));
    }

    @Test
    @Timeout(600)
    void everySettingSeesTheSame() throws IOException {
        List<Setting> settings = new ArrayList<>(Setting.unmasked());
        settings.add(Setting.bare(Backend.IO_URING));
        settings.removeIf(setting -> setting.unavailableBecause() != null);
        assumeTrue(settings.size() > 1, "there is nothing to compare " + settings + " with");
        Long seed = Long.getLong("seed");
        long[] seeds = seed != null
                ? new long[] {seed}
                : LongStream.rangeClosed(1, Integer.getInteger("seeds", SEEDS)).toArray();
        long lines = 0;
        List<String> differences = new ArrayList<>();
        for (long each : seeds) {
            Scenario scenario = new Scenario(each);
            List<String> expected = Director.play(scenario, settings.getFirst().options());
            lines += expected.size();
            if (seed != null) {
                System.out.println(scenario + "\n" + String.join("\n", expected));
            }
            List<Setting> others = new ArrayList<>();
            String shown = "";
            for (Setting setting : settings.subList(1, settings.size())) {
                List<String> actual = Director.play(scenario, setting.options());
                if (!actual.equals(expected)) {
                    others.add(setting);
                    shown = sideBySide(settings.getFirst(), expected, setting, actual);
                }
            }
            if (!others.isEmpty()) {
                differences.add("-Dseed=" + each + " plays this again; " + settings.getFirst() + " differs from "
                        + others + ":\n" + scenario + "\n" + shown);
            }
        }
        System.out.printf(
                "%d scenarios, each on %s: %d lines of trace, %d scenarios differ%n",
                seeds.length, settings, lines, differences.size());
        if (!differences.isEmpty()) {
            throw new AssertionError(
                    String.join("\n\n", differences.subList(0, Math.min(differences.size(), DIFFERENCES_SHOWN_MAX))));
        }
    }

    /** The lines of both, with a mark where they differ. */
    private static String sideBySide(Setting first, List<String> expected, Setting second, List<String> actual) {
        int width = Math.max(
                first.toString().length(),
                expected.stream().mapToInt(String::length).max().orElse(0));
        StringBuilder text = new StringBuilder(("  %-" + width + "s | %s").formatted(first, second));
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String left = i < expected.size() ? expected.get(i) : "";
            String right = i < actual.size() ? actual.get(i) : "";
            text.append(("%n%s %-" + width + "s | %s").formatted(Objects.equals(left, right) ? " " : "!", left, right));
        }
        return text.toString();
    }
}
