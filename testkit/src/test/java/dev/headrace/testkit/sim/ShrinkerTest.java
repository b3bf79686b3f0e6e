package dev.headrace.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.testkit.sim.Act.Kind;
import dev.headrace.testkit.sim.Simulation.Outcome;
import dev.headrace.testkit.sim.Violation.Rule;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failures of which it is known what they need. */
class ShrinkerTest {
    private static final int CULPRIT = 3;
    private static final int BYTES_NEEDED = 20;
    private static final List<String> TRACE = List.of("the last step");

    private static Shrinker shrunk(BiFunction<Plan, Set<Mark>, @Nullable Violation> world) {
        Shrinker.Experiment experiment = (plan, off, operationsMin) -> {
            Marks marks = new Marks();
            EnumSet.complementOf(EnumSet.copyOf(off)).forEach(marks::met);
            return new Outcome(1000, plan.modes().size(), marks, world.apply(plan, off), TRACE);
        };
        Plan plan = Plan.of(1);
        Shrinker shrinker = new Shrinker(experiment, plan, experiment.run(plan, EnumSet.noneOf(Mark.class), 1000));
        shrinker.shrink();
        return shrinker;
    }

    private static boolean needed(Plan plan) {
        Act largest = Plan.of(1).acts().stream()
                .filter(act -> act.connection() == CULPRIT)
                .max(Comparator.comparingInt(Act::amount))
                .orElseThrow();
        assertThat(largest.amount()).isGreaterThan(64);
        return plan.acts().stream()
                        .anyMatch(act -> act.connection() == CULPRIT
                                && (act.kind() == Kind.CONNECT || act.kind() == Kind.CONNECT_OUT))
                && plan.acts().stream()
                        .anyMatch(act -> act.atNanos() == largest.atNanos() && act.amount() >= BYTES_NEEDED);
    }

    @Test
    void whatTheFailureNeedsIsLeft() {
        Shrinker shrinker = shrunk((plan, off) ->
                needed(plan) && !off.contains(Mark.SHORT_SEND) ? new Violation(Rule.BYTES, "made up") : null);
        assertThat(shrinker.plan().acts()).hasSize(2).allMatch(act -> act.connection() == CULPRIT);
        assertThat(shrinker.plan().acts().getLast().amount())
                .as("the first power of eight that is enough")
                .isEqualTo(64);
        assertThat(shrinker.off()).isEqualTo(EnumSet.complementOf(EnumSet.of(Mark.SHORT_SEND)));
        assertThat(shrinker.runs()).isLessThanOrEqualTo(Shrinker.RUNS_MAX);
        assertThat(shrinker.inWords()).contains("made up", "connection 3: remote sends", "the last step", "-Dseed=1");
    }

    @Test
    void anotherFailureIsNotTheSame() {
        int acts = Plan.of(1).acts().size();
        Shrinker shrinker = shrunk((plan, off) ->
                new Violation(plan.acts().size() == acts && off.isEmpty() ? Rule.BYTES : Rule.SPIN, "made up"));
        assertThat(shrinker.plan().acts()).hasSize(acts);
        assertThat(shrinker.inWords()).startsWith("BYTES");
    }

    @Test
    void itComesToAnEndWhenLittleCanBeTakenAway() {
        List<Act> all = Plan.of(1).acts();
        List<Act> needed = IntStream.range(0, all.size())
                .filter(i -> i % 2 == 0)
                .mapToObj(all::get)
                .toList();
        Shrinker shrinker = shrunk((plan, off) ->
                new HashSet<>(plan.acts()).containsAll(needed) ? new Violation(Rule.BYTES, "made up") : null);
        assertThat(shrinker.runs()).isEqualTo(Shrinker.RUNS_MAX);
        assertThat(shrinker.plan().acts()).containsAll(needed);
    }
}
