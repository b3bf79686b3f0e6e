package dev.headrace.engine.conformance;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import dev.headrace.engine.Backend;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Makes one invocation of a test per backend. */
final class BackendInvocations implements TestTemplateInvocationContextProvider {
    private static final String EXPECTED_VARIABLE = "HEADRACE_EXPECT_BACKENDS";
    private static final Map<Backend, String> UNAVAILABLE = unavailable();

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
    static Set<Backend> expected(@Nullable String list) {
        Set<Backend> backends = EnumSet.noneOf(Backend.class);
        if (list != null && !list.isBlank()) {
            Arrays.stream(list.split(",", -1))
                    .map(String::strip)
                    .map(Backend::named)
                    .forEach(backends::add);
        }
        return backends;
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return Arrays.stream(Backend.values()).map(Invocation::new);
    }

    private record Invocation(Backend backend)
            implements TestTemplateInvocationContext, ExecutionCondition, ParameterResolver {
        @Override
        public String getDisplayName(int invocationIndex) {
            return backend.id();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String because = UNAVAILABLE.get(backend);
            if (because == null) {
                return enabled(backend.id() + " works here");
            }
            if (expected(System.getenv(EXPECTED_VARIABLE)).contains(backend)) {
                throw new AssertionError(
                        EXPECTED_VARIABLE + " names " + backend.id() + ", but it is not available: " + because);
            }
            return disabled(because);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Backend.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return backend;
        }
    }
}
