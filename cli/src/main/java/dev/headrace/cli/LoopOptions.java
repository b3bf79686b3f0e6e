package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.ListenerPlacement;
import dev.headrace.lab.measure.Cores;
import dev.headrace.lab.race.Contestants;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How many loops a server has, where they run, how they accept, and what they leave unused. */
final class LoopOptions {
    @Option(
            names = "--loops",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many loops, each a thread, share the connections (default: ${DEFAULT-VALUE}).",
            converter = Units.Count.class)
    private int loops;

    @Option(
            names = "--listeners",
            paramLabel = "HOW",
            defaultValue = "shared",
            description = "shared: the first loop accepts for all; per-loop: each accepts its own, by SO_REUSEPORT"
                    + " (default: ${DEFAULT-VALUE}).",
            converter = PlacementConverter.class)
    private ListenerPlacement listeners = ListenerPlacement.SHARED;

    @Option(
            names = "--pin",
            paramLabel = "CPUS",
            description = "Pin the loops to these CPUs, one after the other, for example 0-3,8 (default: not pinned).",
            converter = CpusConverter.class)
    private Cpus cpus = new Cpus(List.of());

    @Option(
            names = "--mask",
            paramLabel = "RUNG",
            split = ",",
            description = "Leave these rungs of the backend unused although they work here.")
    private Set<String> masked = new LinkedHashSet<>();

    /** The options of an engine on that backend. */
    EngineOptions options(Backend backend) {
        masked.forEach(rung -> Contestants.rung(backend, rung));
        return EngineOptions.of(backend)
                .withLoops(loops)
                .withListeners(listeners)
                .withCpus(cpus.numbers())
                .withMaskedRungs(masked);
    }

    /** Numbers of CPUs. */
    record Cpus(List<Integer> numbers) {}

    /** Reads a placement in the spelling of options. */
    static final class PlacementConverter implements ITypeConverter<ListenerPlacement> {
        @Override
        public ListenerPlacement convert(String value) {
            for (ListenerPlacement placement : ListenerPlacement.values()) {
                if (word(placement).equals(value)) {
                    return placement;
                }
            }
            throw new TypeConversionException("'" + value + "' is unknown: there are "
                    + Stream.of(ListenerPlacement.values())
                            .map(PlacementConverter::word)
                            .collect(Collectors.joining(", ")));
        }

        private static String word(ListenerPlacement placement) {
            return placement.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Reads a list of CPUs that this process may use. */
    static final class CpusConverter implements ITypeConverter<Cpus> {
        private static final Pattern SYNTAX = Pattern.compile("\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*");

        @Override
        public Cpus convert(String value) {
            List<Integer> numbers = SYNTAX.matcher(value).matches() ? Cores.parseList(value) : List.of();
            if (numbers.isEmpty()) {
                throw new TypeConversionException("'" + value + "' is not a list of CPUs such as 0-3,8");
            }
            List<Integer> allowed = Cores.allowed();
            if (!allowed.containsAll(numbers)) {
                throw new TypeConversionException(
                        "'" + value + "' is not among the CPUs that this process may use: " + allowed);
            }
            return new Cpus(numbers);
        }
    }
}
