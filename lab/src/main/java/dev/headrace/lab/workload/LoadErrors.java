package dev.headrace.lab.workload;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures of a load by kind and keeps the first words about each.
 *
 * <p>Thread: the loop's that drives the load.
 */
public final class LoadErrors {
    private final Map<ErrorKind, Long> counts = new EnumMap<>(ErrorKind.class);
    private final Map<ErrorKind, String> first = new EnumMap<>(ErrorKind.class);

    /** Counts one failure. */
    public void add(ErrorKind kind, String words) {
        counts.merge(kind, 1L, Long::sum);
        first.putIfAbsent(kind, words);
    }

    public long count(ErrorKind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    public long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What was said about the first failure of that kind. */
    public @Nullable String firstOf(ErrorKind kind) {
        return first.get(kind);
    }

    /** Counts by printed name, kinds that did not occur left out. */
    public Map<String, Long> byName() {
        Map<String, Long> names = new TreeMap<>();
        counts.forEach((kind, count) -> names.put(kind.word(), count));
        return names;
    }

    /** For example {@code 3 read (the peer closed the connection), 1 timeout (no answer within 5 s)}. */
    @Override
    public String toString() {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().word() + " (" + first.get(entry.getKey()) + ")")
                .collect(Collectors.joining(", "));
    }
}
