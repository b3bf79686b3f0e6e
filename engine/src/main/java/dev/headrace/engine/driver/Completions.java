package dev.headrace.engine.driver;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reused batch of completion records, which a driver fills and the loop drains.
 *
 * <p>Records instead of callbacks: nothing of the user's runs inside a driver, and one multishot operation may answer
 * many times in one turn. The limit bounds what is dispatched per turn; a driver leaves what is beyond it for the next.
 *
 * <p>Thread: the loop's. Owns: its arrays.
 */
public final class Completions {
    private final int limit;
    private @Nullable Operation[] operations;
    private int[] results;
    private int[] bufferIds;
    private boolean[] mores;
    private int count;

    /** A batch that asks drivers to stop at {@code limit} records. */
    public Completions(int limit) {
        this.limit = limit;
        this.operations = new Operation[limit];
        this.results = new int[limit];
        this.bufferIds = new int[limit];
        this.mores = new boolean[limit];
    }

    /** Appends a record and tells its index. Beyond the limit the batch grows rather than lose one. */
    public int add(Operation operation, int result, boolean more, int bufferId) {
        int index = count;
        if (index == operations.length) {
            grow();
        }
        operations[index] = operation;
        results[index] = result;
        mores[index] = more;
        bufferIds[index] = bufferId;
        count = index + 1;
        return index;
    }

    /** Corrects the result of a record that is already in the batch. */
    public void correct(int index, int result) {
        assert index < count;
        results[index] = result;
    }

    /** How many more records are welcome in this turn. */
    public int room() {
        return Math.max(0, limit - count);
    }

    public int count() {
        return count;
    }

    public Operation operation(int index) {
        Operation operation = operations[index];
        assert operation != null;
        return operation;
    }

    public int result(int index) {
        return results[index];
    }

    public boolean more(int index) {
        return mores[index];
    }

    public int bufferId(int index) {
        return bufferIds[index];
    }

    /** Empties the batch. The references stay until overwritten: operations live as long as their owners anyway. */
    public void clear() {
        count = 0;
    }

    private void grow() {
        int capacity = operations.length * 2;
        operations = Arrays.copyOf(operations, capacity);
        results = Arrays.copyOf(results, capacity);
        bufferIds = Arrays.copyOf(bufferIds, capacity);
        mores = Arrays.copyOf(mores, capacity);
    }
}
