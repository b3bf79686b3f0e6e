package dev.headrace.testkit;

import dev.headrace.testkit.ResultTable.Outcome;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Notes how a test of a {@link Fault} ends, and fails one whose annotation names what is not there. */
final class FaultWatcher implements BeforeEachCallback, TestWatcher {
    @Override
    public void beforeEach(ExtensionContext context) {
        String mistake = FaultTags.of(context).mistake();
        if (mistake != null) {
            throw new AssertionError(context.getRequiredTestMethod().getName() + " " + mistake);
        }
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

    /** A test that is told of its backend is noted by whoever tells it. */
    private static void note(ExtensionContext context, Outcome outcome) {
        FaultTags tags = FaultTags.of(context);
        if (!tags.isToldOfItsBackend()) {
            tags.backends().forEach(backend -> FaultResults.of(context).note(context, tags, backend, outcome));
        }
    }
}
