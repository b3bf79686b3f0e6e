package dev.headrace.testkit.sim;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Operation;
import dev.headrace.testkit.sim.Violation.Rule;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a loop and its driver, and holds both to the contract: every staged operation gets records until exactly one
 * that is its last, a descriptor is closed when nothing else of it is out, and no slice is handed over twice in a turn.
 *
 * <p>Thread: the loop's, but for {@link #wake}. Owns: the driver behind it.
 */
public final class CheckedDriver implements Driver {
    private final Driver driver;
    private final Map<Operation, Integer> out = new IdentityHashMap<>();
    private final Map<Integer, Integer> outByDescriptor = new HashMap<>();
    private final BitSet handedOver = new BitSet();
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
        // A close itself is not counted: its descriptor's number may be somebody else's before its record comes.
        if (operation.kind() != Operation.Kind.CLOSE) {
            outByDescriptor.merge(fd, 1, Integer::sum);
        } else if (outByDescriptor.containsKey(fd)) {
            throw new Violation(Rule.CLOSE_IN_FLIGHT, outByDescriptor.get(fd) + " operations are out at " + operation);
        }
        driver.stage(operation);
    }

    @Override
    public void cancel(Operation operation) {
        driver.cancel(operation);
        if (!out.containsKey(operation) && !operation.idle()) {
            throw new Violation(Rule.ENDS_ONCE, "cancelled into flight: " + operation);
        }
    }

    @Override
    public void turn(long waitNanos, Completions completions) {
        int before = completions.count();
        driver.turn(waitNanos, completions);
        handedOver.clear();
        for (int i = before; i < completions.count(); i++) {
            check(completions, i);
        }
        for (int i = before; i < completions.count(); i++) {
            Operation operation = completions.operation(i);
            if (completions.more(i) && out.containsKey(operation) && operation.idle()) {
                throw new Violation(Rule.ENDS_ONCE, "idle before its end: " + operation);
            }
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
        checkBuffer(operation, completions.bufferId(index), completions.result(index));
        if (completions.more(index)) {
            return;
        }
        out.remove(operation);
        if (operation.kind() != Operation.Kind.CLOSE) {
            outByDescriptor.merge(fd, -1, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
        }
        if (!operation.idle()) {
            throw new Violation(Rule.ENDS_ONCE, "not idle at its end: " + operation);
        }
    }

    /** Nothing is released while the driver has its turn, so a slice that comes twice was lent twice. */
    private void checkBuffer(Operation operation, int bufferId, int result) {
        if (bufferId < 0) {
            return;
        }
        if (operation.kind() != Operation.Kind.RECEIVE || result <= 0) {
            throw new Violation(Rule.LENT_MEMORY, "a buffer without a byte: " + operation);
        }
        if (handedOver.get(bufferId)) {
            throw new Violation(Rule.LENT_MEMORY, "slice " + bufferId + " twice in a turn: " + operation);
        }
        handedOver.set(bufferId);
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
