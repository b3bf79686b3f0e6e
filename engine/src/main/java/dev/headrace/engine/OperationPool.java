package dev.headrace.engine;

import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import org.jspecify.annotations.Nullable;

/**
 * Operations that connections borrow for as long as a request takes: sends, shutdowns, closes.
 *
 * <p>Thread: the loop's. Owns: the operations that nobody has borrowed.
 */
final class OperationPool {
    private @Nullable Operation free;

    Operation borrow(OperationOwner owner) {
        Operation operation = free;
        if (operation == null) {
            return new Operation(owner);
        }
        free = operation.next;
        operation.next = null;
        operation.ownedBy(owner);
        return operation;
    }

    void giveBack(Operation operation) {
        assert operation.idle() && operation.keeper() == null;
        operation.next = free;
        free = operation;
    }
}
