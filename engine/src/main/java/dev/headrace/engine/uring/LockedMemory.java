package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import java.util.concurrent.locks.LockSupport;

/**
 * Patience with RLIMIT_MEMLOCK: the kernel frees the memory of a ring some time after its descriptor was closed, and
 * counts it against the limit until then. So a ring that finds no memory is tried again for a moment.
 *
 * <p>Thread: any; no state.
 */
final class LockedMemory {
    private static final int TRIES = 10;
    private static final long PAUSE_NANOS = 5_000_000L;

    private LockedMemory() {}

    /** What needs locked memory. */
    interface Attempt<T> {
        T make() throws RingRefusedException;
    }

    /** Makes it, if need be after several tries; what is refused for another reason is refused at once. */
    static <T> T patiently(Attempt<T> attempt) throws RingRefusedException {
        for (int i = 1; i < TRIES; i++) {
            try {
                return attempt.make();
            } catch (RingRefusedException e) {
                if (e.errno() != Errno.ENOMEM) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return attempt.make();
    }
}
