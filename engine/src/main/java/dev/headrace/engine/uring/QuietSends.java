package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Operation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sends that give no completion of their own when they succeed.
 *
 * <p>Such a send carries MSG_DONTWAIT and MSG_WAITALL, so it is over when {@code io_uring_enter} has consumed its entry:
 * it has taken all bytes, or a completion with the failure is in the queue by then. After each entry this class puts a
 * record of success for each consumed send into the batch; a failure found in the queue right after corrects it.
 *
 * <p>While the completion queue has overflowed a failure may still be on its way, so the verdict is put off.
 *
 * <p>Thread: the ring's. Owns: its arrays.
 */
final class QuietSends {
    private final @Nullable Operation[] byPosition;
    private final int mask;
    /** Everything before this counter has been looked at. */
    private int settled;

    private Operation[] undecided = new Operation[16];
    private int undecidedCount;

    QuietSends(int entries, int position) {
        this.byPosition = new Operation[entries];
        this.mask = entries - 1;
        this.settled = position;
    }

    /** The entry at this position of the submission queue is a quiet send. */
    void submitted(int position, Operation operation) {
        operation.recordIndex = -1;
        byPosition[position & mask] = operation;
    }

    /**
     * Adds a record of success for each send consumed.
     *
     * @param consumed the kernel's head of the submission queue
     * @param certain whether every failure is in the completion queue by now
     */
    void settle(int consumed, boolean certain, Completions completions) {
        if (certain) {
            for (int i = 0; i < undecidedCount; i++) {
                succeed(undecided[i], completions);
            }
            undecidedCount = 0;
        }
        for (int position = settled; position != consumed; position++) {
            Operation operation = byPosition[position & mask];
            if (operation == null) {
                continue;
            }
            byPosition[position & mask] = null;
            if (certain) {
                succeed(operation, completions);
            } else {
                putOff(operation);
            }
        }
        settled = consumed;
    }

    private static void succeed(Operation operation, Completions completions) {
        operation.recordIndex = completions.add(operation, operation.length(), false, -1);
    }

    private void putOff(Operation operation) {
        if (undecidedCount == undecided.length) {
            undecided = Arrays.copyOf(undecided, undecidedCount * 2);
        }
        undecided[undecidedCount++] = operation;
    }

    /**
     * The kernel reported the failure of a quiet send.
     *
     * @return whether its record was added now and ends it; false when an earlier one was corrected
     */
    boolean failed(Operation operation, int result, Completions completions) {
        // WAITALL with a short count, or nothing sent: the rest must go again and wait for room.
        int sent = result == -Errno.EAGAIN ? 0 : result;
        if (operation.recordIndex >= 0) {
            completions.correct(operation.recordIndex, sent);
            return false;
        }
        for (int i = 0; i < undecidedCount; i++) {
            if (undecided[i] == operation) {
                undecided[i] = undecided[--undecidedCount];
                break;
            }
        }
        completions.add(operation, sent, false, -1);
        return true;
    }

    boolean undecided() {
        return undecidedCount > 0;
    }
}
