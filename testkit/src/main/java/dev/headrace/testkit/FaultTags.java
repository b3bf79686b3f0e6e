package dev.headrace.testkit;

import dev.headrace.engine.Backend;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What the {@link Fault} annotations of a test and of its class say together. */
record FaultTags(SortedSet<Integer> rows, List<String> backends, boolean isToldOfItsBackend) {
    static FaultTags of(ExtensionContext context) {
        return of(context.getRequiredTestClass(), context.getRequiredTestMethod());
    }

    static FaultTags of(Class<?> testClass, Method method) {
        List<Fault> faults = Stream.of(method.getAnnotation(Fault.class), testClass.getAnnotation(Fault.class))
                .filter(Objects::nonNull)
                .toList();
        SortedSet<Integer> rows = new TreeSet<>();
        faults.forEach(fault -> Arrays.stream(fault.value()).boxed().forEach(rows::add));
        List<String> named = faults.stream()
                .map(fault -> List.of(fault.backends()))
                .filter(names -> !names.isEmpty())
                .findFirst()
                .orElse(List.of());
        List<String> backends = named.contains(Fault.EVERY) ? Backend.ids() : named;
        return new FaultTags(rows, backends, method.isAnnotationPresent(EveryBackend.class));
    }

    /** What is wrong with them, if anything is. */
    @Nullable
    String mistake() {
        if (rows.stream().anyMatch(row -> row < 1 || row > Fault.LAST)) {
            return "names a fault that is not in the table: " + rows;
        }
        if (!Backend.ids().containsAll(backends)) {
            return "names a backend that is not there: " + backends;
        }
        if (!isToldOfItsBackend && backends.isEmpty()) {
            return "does not say on which backends it makes its faults " + rows;
        }
        return null;
    }
}
