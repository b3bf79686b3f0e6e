package dev.headrace.testkit;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import dev.headrace.testkit.ResultTable.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;

/** Makes one invocation of a test per setting, and notes how each ends. */
final class BackendInvocations implements TestTemplateInvocationContextProvider {
    static {
        // What a test waits for is a matter of microseconds as a rule: looking ten times a second would be most of its
        // time.
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(2));
    }

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        EveryBackend every = context.getRequiredTestMethod().getAnnotation(EveryBackend.class);
        Set<String> masks = Set.of(every.masks());
        if (masks.contains(EveryBackend.EACH)) {
            return Setting.masking(Setting.rungs()).stream().map(Invocation::new);
        }
        if (every.because().isBlank()) {
            throw new AssertionError(context.getDisplayName() + " leaves out rungs, but does not say why");
        }
        if (!Setting.rungs().containsAll(masks)) {
            throw new AssertionError(context.getDisplayName() + " masks what is no rung: " + masks);
        }
        ResultTable.of(context)
                .noteReason(
                        context.getRequiredTestClass().getSimpleName(),
                        context.getRequiredTestMethod().getName(),
                        every.because());
        return Setting.masking(masks).stream().map(Invocation::new);
    }

    private record Invocation(Setting setting)
            implements TestTemplateInvocationContext, ExecutionCondition, ParameterResolver, TestWatcher {
        @Override
        public String getDisplayName(int invocationIndex) {
            return setting.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            String because = setting.unavailableBecause();
            return because == null ? enabled(setting + " works here") : disabled(because);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Setting.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return setting;
        }

        @Override
        public void testSuccessful(ExtensionContext context) {
            note(context, Outcome.PASSED);
        }

        @Override
        public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
            note(context, Outcome.FAILED);
        }

        @Override
        public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
            note(context, Outcome.SKIPPED);
        }

        @Override
        public void testDisabled(ExtensionContext context, Optional<String> reason) {
            note(context, Outcome.SKIPPED);
        }

        private void note(ExtensionContext context, Outcome outcome) {
            ResultTable.of(context)
                    .note(
                            context.getRequiredTestClass().getSimpleName(),
                            context.getRequiredTestMethod().getName(),
                            setting,
                            outcome);
            FaultTags tags = FaultTags.of(context);
            if (!tags.rows().isEmpty()) {
                FaultResults.of(context).note(context, tags, setting.backend().id(), outcome);
            }
        }
    }
}
