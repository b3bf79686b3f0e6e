package dev.headrace.testkit.sim;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Operation;
import dev.headrace.testkit.sim.Violation.Rule;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a loop and its driver, and holds both to the contract: every staged operation gets records until exactly one
 * that is its last, and a descriptor is closed when nothing else of it is out.
 *
 * <p>Thread: the loop's, but for {@link #wake}. Owns: the driver behind it.
 */
public final class CheckedDriver implements Driver {
    private final Driver driver;
    private final Map<Operation, Integer> out = new IdentityHashMap<>();
    private final Map<Integer, Integer> outByDescriptor = new HashMap<>();
    private int checked;
    private long staged;

    public CheckedDriver(Driver driver) {
        this.driver = driver;
    }

    /** How many operations were staged. */
    public long staged() {
        return staged;
    }

    @Override
    public void stage(Operation operation) {
        staged++;
        int fd = operation.fd();
        if (out.put(operation, fd) != null) {
            throw new Violation(Rule.ENDS_ONCE, "staged again before its end: " + operation);
        }
        int others = outByDescriptor.merge(fd, 1, Integer::sum) - 1;
        if (operation.kind() == Operation.Kind.CLOSE && others > 0) {
            throw new Violation(Rule.CLOSE_IN_FLIGHT, others + " operations are out at " + operation);
        }
        driver.stage(operation);
    }

    @Override
    public void cancel(Operation operation) {
        driver.cancel(operation);
    }

    @Override
    public void turn(long waitNanos, Completions completions) {
        checked = completions.count();
        driver.turn(waitNanos, completions);
        for (int i = checked; i < completions.count(); i++) {
            check(completions, i);
        }
    }

    private void check(Completions completions, int index) {
        Operation operation = completions.operation(index);
        @Nullable Integer fd = out.get(operation);
        if (fd == null && operation.owner() instanceof Driver) {
            // The hybrid's own, by which it learns that its ring has something to tell.
            return;
        }
        if (fd == null) {
            throw new Violation(Rule.ENDS_ONCE, "a record of an operation that is not out: " + operation);
        }
        if (completions.bufferId(index) >= 0 && completions.result(index) <= 0) {
            throw new Violation(Rule.ENDS_ONCE, "a buffer without a byte: " + operation);
        }
        if (completions.more(index)) {
            return;
        }
        out.remove(operation);
        outByDescriptor.merge(fd, -1, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
        if (!operation.idle()) {
            throw new Violation(Rule.ENDS_ONCE, "not idle at its end: " + operation);
        }
    }

    @Override
    public void wake() {
        driver.wake();
    }

    @Override
    public Capabilities capabilities() {
        return driver.capabilities();
    }

    @Override
    public void close() {
        if (!out.isEmpty()) {
            throw new Violation(Rule.ENDS_ONCE, "operations that never ended: " + out.keySet());
        }
        driver.close();
    }
}
