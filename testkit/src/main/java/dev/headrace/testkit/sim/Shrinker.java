package dev.headrace.testkit.sim;

import dev.headrace.testkit.sim.Simulation.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a run that broke a rule smaller, for as long as it breaks the same one: fewer connections, fewer acts, fewer kinds of
 * faults, smaller amounts.
 *
 * <p>Thread: any one.
 */
final class Shrinker {
    /** Runs a plan without some kinds of faults, with at least so many operations. */
    interface Experiment {
        Outcome run(Plan plan, Set<Mark> off, long operationsMin);
    }

    static final int RUNS_MAX = 600;

    private final Experiment experiment;
    private final Violation.Rule rule;
    private Plan plan;
    private Set<Mark> off = EnumSet.noneOf(Mark.class);
    private Outcome outcome;
    private long operationsMin;
    private int runs;

    Shrinker(Experiment experiment, Plan plan, Outcome outcome) {
        this.experiment = experiment;
        this.plan = plan;
        this.outcome = outcome;
        this.rule = Objects.requireNonNull(outcome.violation()).rule();
        this.operationsMin = outcome.operations();
    }

    /** The smallest failing run that was found, in words. */
    static String smallest(long seed, Outcome outcome) {
        Shrinker shrinker = new Shrinker(Simulation::run, Plan.of(seed), outcome);
        shrinker.shrink();
        return shrinker.inWords();
    }

    void shrink() {
        if (fails(plan, off, 0)) {
            operationsMin = 0;
        }
        int before;
        do {
            before = plan.acts().size();
            dropConnections();
            dropActs();
            dropFaults();
        } while (plan.acts().size() < before && runs < RUNS_MAX);
        lessenAmounts();
    }

    private void dropConnections() {
        for (int i = 0; i < plan.modes().size(); i++) {
            int connection = i;
            List<Act> rest = plan.acts().stream()
                    .filter(act -> act.connection() != connection)
                    .toList();
            if (rest.size() < plan.acts().size()) {
                keepIfFails(plan.with(rest), off);
            }
        }
    }

    /** Takes away larger parts first, then smaller ones. */
    private void dropActs() {
        for (int size = plan.acts().size() / 2; size >= 1; size /= 2) {
            for (int from = 0; from < plan.acts().size(); ) {
                List<Act> rest = new ArrayList<>(plan.acts());
                rest.subList(from, Math.min(from + size, rest.size())).clear();
                if (!keepIfFails(plan.with(rest), off)) {
                    from += size;
                }
            }
        }
    }

    private void dropFaults() {
        for (Mark mark : Mark.values()) {
            if (!off.contains(mark) && outcome.marks().count(mark) > 0) {
                Set<Mark> more = EnumSet.copyOf(off);
                more.add(mark);
                keepIfFails(plan, more);
            }
        }
    }

    private void lessenAmounts() {
        for (int i = 0; i < plan.acts().size(); i++) {
            Act act = plan.acts().get(i);
            for (int amount = 1; amount < act.amount(); amount *= 8) {
                List<Act> acts = new ArrayList<>(plan.acts());
                acts.set(i, new Act(act.atNanos(), act.connection(), act.kind(), amount));
                if (keepIfFails(plan.with(acts), off)) {
                    break;
                }
            }
        }
    }

    private boolean keepIfFails(Plan smaller, Set<Mark> faultsOff) {
        if (runs >= RUNS_MAX || !fails(smaller, faultsOff, operationsMin)) {
            return false;
        }
        plan = smaller;
        off = faultsOff;
        return true;
    }

    private boolean fails(Plan smaller, Set<Mark> faultsOff, long operations) {
        runs++;
        Outcome tried = experiment.run(smaller, faultsOff, operations);
        @Nullable Violation violation = tried.violation();
        boolean same = violation != null && violation.rule() == rule;
        if (same) {
            outcome = tried;
        }
        return same;
    }

    Plan plan() {
        return plan;
    }

    /** The kinds of faults that the failure does not need. */
    Set<Mark> off() {
        return off;
    }

    int runs() {
        return runs;
    }

    String inWords() {
        Violation violation = Objects.requireNonNull(outcome.violation());
        StringWriter stack = new StringWriter();
        violation.printStackTrace(new PrintWriter(stack));
        return "%s%n%nthe smallest run of %d that does so (-Dseed=%d), without the faults %s:%n%s%nits last steps:%n%s%n%n%s"
                .formatted(
                        violation.getMessage(),
                        runs,
                        plan.seed(),
                        off,
                        plan,
                        String.join("\n", outcome.trace()),
                        stack);
    }
}
