package dev.headrace.engine.uring;

import dev.headrace.engine.driver.Operation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the operation that a completion is about.
 *
 * <p>A completion carries 64 bits of user data: the slot in the lower half and in the upper a generation, which changes
 * whenever the slot is taken, so that a late completion of an earlier submission finds nobody. The table counts the
 * generations itself: two operations that use a slot one after the other may have been submitted equally often.
 *
 * <p>Thread: the ring's. Owns: its arrays.
 */
final class SlotTable {
    private @Nullable Operation[] operations = new Operation[256];
    private int[] generations = new int[256];
    private int[] free = new int[256];
    private int freeCount;
    private int used;

    /** Gives the operation a slot and returns its user data. */
    long enter(Operation operation) {
        int slot = freeCount > 0 ? free[--freeCount] : used++;
        if (slot == operations.length) {
            operations = Arrays.copyOf(operations, slot * 2);
            generations = Arrays.copyOf(generations, slot * 2);
            free = Arrays.copyOf(free, slot * 2);
        }
        operations[slot] = operation;
        generations[slot]++;
        operation.slot = slot;
        return userData(operation);
    }

    /** The user data of an operation that has a slot. */
    long userData(Operation operation) {
        return (long) generations[operation.slot] << Integer.SIZE | operation.slot;
    }

    /** The operation of that submission, or null when it has ended. */
    @Nullable
    Operation find(long userData) {
        int slot = (int) userData;
        if (slot < 0 || slot >= used || generations[slot] != (int) (userData >>> Integer.SIZE)) {
            return null;
        }
        return operations[slot];
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
