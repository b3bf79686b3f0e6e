package dev.headrace.testkit;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a test runs on: a backend, and the rungs of its ladder that it has to do without.
 *
 * @param masked names of rungs
 */
public record Setting(Backend backend, Set<String> masked) {
    private static final String EXPECTED_VARIABLE = "HEADRACE_EXPECT_BACKENDS";
    private static final Map<Backend, String> UNAVAILABLE = unavailable();

    public Setting {
        masked = Set.copyOf(masked);
    }

    /** The backend with all that this kernel gives it. */
    public static Setting of(Backend backend) {
        return new Setting(backend, Set.of());
    }

    /** The backend on its lowest rung. */
    public static Setting bare(Backend backend) {
        return new Setting(backend, Set.copyOf(backend.maskableRungs()));
    }

    /** Every backend as it is. */
    public static List<Setting> unmasked() {
        return Arrays.stream(Backend.values()).map(Setting::of).toList();
    }

    /** Every backend as it is, without each of the rungs in turn, and without any. */
    public static List<Setting> masking(Set<String> rungs) {
        return Arrays.stream(Backend.values())
                .flatMap(backend -> masking(backend, rungs))
                .toList();
    }

    private static Stream<Setting> masking(Backend backend, Set<String> rungs) {
        List<String> own =
                backend.maskableRungs().stream().filter(rungs::contains).toList();
        // The ring of the hybrid is built by the same ladder, and does nothing but accept: there all at once will do.
        Stream<Setting> alone = backend == Backend.HYBRID
                ? Stream.empty()
                : own.stream().map(rung -> new Setting(backend, Set.of(rung)));
        Stream<Setting> bare = own.isEmpty() ? Stream.empty() : Stream.of(bare(backend));
        return Stream.of(Stream.of(of(backend)), alone, bare).flatMap(settings -> settings);
    }

    /** The names of all rungs that there are. */
    public static Set<String> rungs() {
        return Arrays.stream(Backend.values())
                .flatMap(backend -> backend.maskableRungs().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** What a test begins with. */
    public EngineOptions options() {
        return EngineOptions.of(backend).withMaskedRungs(masked);
    }

    /**
     * Null when the backend works here, otherwise why not.
     *
     * @throws AssertionError when it has to work here
     */
    public @Nullable String unavailableBecause() {
        String because = UNAVAILABLE.get(backend);
        if (because != null && expected(System.getenv(EXPECTED_VARIABLE)).contains(backend)) {
            throw new AssertionError(
                    EXPECTED_VARIABLE + " names " + backend.id() + ", but it is not available: " + because);
        }
        return because;
    }

    private static Map<Backend, String> unavailable() {
        Map<Backend, String> reasons = new EnumMap<>(Backend.class);
        for (Backend backend : Backend.values()) {
            String because = backend.unavailableBecause();
            if (because != null) {
                System.err.println("conformance tests skip " + backend.id() + ": " + because);
                reasons.put(backend, because);
            }
        }
        return reasons;
    }

    /** The backends that must work here. */
    private static Set<Backend> expected(@Nullable String list) {
        Set<Backend> backends = EnumSet.noneOf(Backend.class);
        if (list != null && !list.isBlank()) {
            Arrays.stream(list.split(",", -1))
                    .map(String::strip)
                    .map(Backend::named)
                    .forEach(backends::add);
        }
        return backends;
    }

    /** As it is called in the names of tests and in the table of results. */
    @Override
    public String toString() {
        if (masked.isEmpty()) {
            return backend.id();
        }
        String without = masked.size() == 1 ? masked.iterator().next() : masked.size() + " rungs";
        return backend.id() + " without " + without;
    }
}
