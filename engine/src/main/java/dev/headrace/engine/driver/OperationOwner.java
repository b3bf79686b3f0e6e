package dev.headrace.engine.driver;

/**
 * Who asked for an operation, and is told how it went.
 *
 * <p>Thread: the loop's.
 */
public interface OperationOwner {
    /**
     * One completion record of an operation of this owner.
     *
     * @param operation the operation; reusable when {@code more} is false
     * @param result bytes, a descriptor or 0 as the kind says; a negative errno on failure
     * @param more whether further records of the same operation follow
     * @param bufferId the slice of the receive pool that holds the bytes, or -1
     */
    void completed(Operation operation, int result, boolean more, int bufferId);
}
