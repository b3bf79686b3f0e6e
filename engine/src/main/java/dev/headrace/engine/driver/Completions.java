package dev.headrace.engine.driver;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reused batch of completion records, which a driver fills and the loop drains.
 *
 * <p>Records instead of callbacks: nothing of the user's runs inside a driver, and one multishot operation may answer
 * many times in one turn. Each driver bounds what it adds per turn: by the size of its completion queue, or by the number
 * of events it asks for.
 *
 * <p>Thread: the loop's. Owns: its arrays.
 */
public final class Completions {
    private @Nullable Operation[] operations;
    /** The result in the upper half; below it the buffer's id plus one, and whether more will come in the lowest bit. */
    private long[] answers;

    private int count;

    /** A batch with room for so many records; it grows rather than lose one. */
    public Completions(int capacity) {
        this.operations = new Operation[capacity];
        this.answers = new long[capacity];
    }

    /** Appends a record and tells its index. */
    public int add(Operation operation, int result, boolean more, int bufferId) {
        int index = count;
        if (index == operations.length) {
            grow();
        }
        operations[index] = operation;
        answers[index] = (long) result << Integer.SIZE | (bufferId + 1) << 1 | (more ? 1 : 0);
        count = index + 1;
        return index;
    }

    /** Corrects the result of a record that is already in the batch. */
    public void correct(int index, int result) {
        assert index < count;
        answers[index] = (long) result << Integer.SIZE | (int) answers[index] & 0xffff_ffffL;
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
        return (int) (answers[index] >> Integer.SIZE);
    }

    public boolean more(int index) {
        return (answers[index] & 1) != 0;
    }

    public int bufferId(int index) {
        return ((int) answers[index] >> 1) - 1;
    }

    /** Empties the batch. The references stay until overwritten: operations live as long as their owners anyway. */
    public void clear() {
        count = 0;
    }

    private void grow() {
        int capacity = operations.length * 2;
        operations = Arrays.copyOf(operations, capacity);
        answers = Arrays.copyOf(answers, capacity);
    }
}
