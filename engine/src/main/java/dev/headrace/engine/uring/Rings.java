package dev.headrace.engine.uring;

import java.util.Set;

/**
 * Where rings come from: the running kernel, or in tests something that stands for it.
 *
 * <p>Thread: the one that will use the rings. Owns: nothing.
 */
public interface Rings {
    /**
     * Finds out what can be used.
     *
     * @param masked names of rungs to do without although they may work
     * @throws RingRefusedException when io_uring, or a feature without which the engine cannot use it, is not there
     */
    Rungs climb(Set<String> masked) throws RingRefusedException;

    /**
     * Opens a ring with these rungs, enabled on the calling thread.
     *
     * @throws RingRefusedException with the kernel's errno
     */
    Ring open(Rungs rungs, int submissionEntries, int completionEntries) throws RingRefusedException;
}
