package dev.headrace.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.testkit.sim.Violation.Rule;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A loop survives what handlers throw; a run does not. */
class WitnessTest {
    private final SimKernel kernel = kernel();
    private final Witness witness = new Witness(kernel);

    private static SimKernel kernel() {
        Marks marks = new Marks();
        return new SimKernel(new Chance(1, Set.of(), marks), marks);
    }

    @Test
    void whatIsPlannedIsNoNews() {
        Runnable task = witness.watching(() -> {
            throw new Witness.Planned();
        });
        assertThatThrownBy(task::run).isInstanceOf(Witness.Planned.class);
        assertThat(witness.first()).isNull();
    }

    @Test
    void theFirstBrokenRuleStaysAndEndsTheRun() {
        Violation broken = new Violation(Rule.BYTES, "first");
        throwFrom(broken);
        throwFrom(new Violation(Rule.DEAD_CONNECTION, "second"));
        assertThat(witness.first()).isSameAs(broken);
        assertThatThrownBy(() -> kernel.pass(1)).isSameAs(broken);
    }

    @Test
    void whatNobodyPlannedBreaksARule() {
        AssertionError thrown = new AssertionError("the engine's own");
        throwFrom(thrown);
        Violation broken = Objects.requireNonNull(witness.first());
        assertThat(broken.rule()).isEqualTo(Rule.THROWN);
        assertThat(broken).hasCause(thrown);
    }

    private void throwFrom(Error error) {
        Runnable task = witness.watching(() -> {
            throw error;
        });
        assertThatThrownBy(task::run).isSameAs(error);
    }
}
