package dev.headrace.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.headrace.testkit.sim.Simulation.Outcome;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The production engine in the simulated machine, seed after seed. A seed that breaks a rule is printed with the smallest run
 * that still does; {@code -Dseed=N} runs it alone, {@code -Dseeds=N} so many of them.
 */
class SimulationTest {
    private static final Logger ENGINE = Logger.getLogger("dev.headrace");
    private static final int OPERATIONS_MIN = 1000;
    private static final int CONNECTIONS_MIN = 8;
    private static final long SEEDS = Long.getLong("seeds", 5000);
    /** How often each mark is to be met: once in so many seeds. */
    private static final int SEEDS_PER_MARK = 50;

    @BeforeAll
    static void handlersThatThrowAreNoNews() {
        ENGINE.setLevel(Level.OFF);
    }

    @Test
    void everySeedKeepsTheRules() {
        Long only = Long.getLong("seed");
        if (only != null) {
            requireKept(only);
            return;
        }
        Marks marks = new Marks();
        AtomicLong operations = new AtomicLong();
        long start = System.nanoTime();
        // Each run is a world of its own; they share nothing but the processors.
        LongStream.rangeClosed(1, SEEDS).parallel().forEach(seed -> {
            Outcome outcome = requireKept(seed);
            operations.addAndGet(outcome.operations());
            synchronized (marks) {
                marks.add(outcome.marks());
            }
        });
        System.out.printf(
                "Simulation: %d seeds, %d operations in %.0f s%n%s%n",
                SEEDS, operations.get(), (System.nanoTime() - start) / 1e9, marks);
        for (Mark mark : Mark.values()) {
            assertThat(marks.count(mark)).as("met " + mark).isGreaterThanOrEqualTo(SEEDS / SEEDS_PER_MARK);
        }
    }

    private static Outcome requireKept(long seed) {
        Outcome outcome = Simulation.run(seed, OPERATIONS_MIN);
        if (outcome.failed()) {
            fail(Shrinker.smallest(seed, outcome));
        }
        assertThat(outcome.operations()).as("operations of seed " + seed).isGreaterThanOrEqualTo(OPERATIONS_MIN);
        assertThat(outcome.connections()).as("connections of seed " + seed).isGreaterThanOrEqualTo(CONNECTIONS_MIN);
        return outcome;
    }
}
