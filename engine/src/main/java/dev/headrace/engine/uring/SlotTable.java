package dev.headrace.engine.uring;

import dev.headrace.engine.driver.Operation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the operation that a completion is about.
 *
 * <p>A completion carries 64 bits of user data: the slot in the lower half, the operation's generation in the upper, so
 * that a late completion of an earlier submission finds nobody.
 *
 * <p>Thread: the ring's. Owns: its arrays.
 */
final class SlotTable {
    private @Nullable Operation[] operations = new Operation[256];
    private int[] free = new int[256];
    private int freeCount;
    private int used;

    /** Gives the operation a slot and returns its user data. */
    long enter(Operation operation) {
        int slot = freeCount > 0 ? free[--freeCount] : used++;
        if (slot == operations.length) {
            operations = Arrays.copyOf(operations, slot * 2);
            free = Arrays.copyOf(free, slot * 2);
        }
        operations[slot] = operation;
        operation.slot = slot;
        return userData(operation);
    }

    static long userData(Operation operation) {
        return (long) operation.generation() << Integer.SIZE | operation.slot;
    }

    /** The operation of that submission, or null when it has ended. */
    @Nullable
    Operation find(long userData) {
        int slot = (int) userData;
        if (slot < 0 || slot >= used) {
            return null;
        }
        Operation operation = operations[slot];
        return operation != null && operation.generation() == (int) (userData >>> Integer.SIZE) ? operation : null;
    }

    void leave(Operation operation) {
        int slot = operation.slot;
        operation.slot = -1;
        operations[slot] = null;
        free[freeCount++] = slot;
    }

    /** How many operations the kernel knows. */
    int count() {
        return used - freeCount;
    }
}
