package dev.headrace.engine.uring;

/**
 * One io_uring instance: its mapped queues by address, and the two system calls that act on it.
 *
 * <p>Part of the narrow seam to the kernel; a simulated kernel implements it over plain memory. Heads and tails are
 * 32-bit counters that wrap; an index is the counter masked.
 *
 * <p>Thread: the one that enabled the ring (SINGLE_ISSUER), for everything. Owns: descriptor and mappings.
 */
public interface Ring extends AutoCloseable {
    /**
     * Submits and waits, {@code io_uring_enter(2)} with GETEVENTS, so that deferred task work runs in any case.
     *
     * @param minComplete return when so many completions are there; 0 does not wait
     * @param waitNanos bounds the wait; negative without end
     * @return entries consumed, or a negative errno; ETIME and EINTR are normal ends of a wait
     */
    int enter(int toSubmit, int minComplete, long waitNanos);

    /** {@code io_uring_register(2)}. */
    int register(int opcode, long argument, int count);

    /** The descriptor behind it, readable while there are completions. */
    int descriptor();

    int submissionEntries();

    int completionEntries();

    /** Address of the counter up to which the kernel has consumed submissions. */
    long submissionHead();

    /** Address of the counter up to which submissions are published. */
    long submissionTail();

    /** Address of the flags that the kernel sets, such as CQ_OVERFLOW. */
    long submissionFlags();

    /** Address of the array of {@code struct io_uring_sqe}. */
    long submissionArray();

    /** Address of the counter up to which completions were taken. */
    long completionHead();

    /** Address of the counter up to which the kernel has published completions. */
    long completionTail();

    /** Address of the array of {@code struct io_uring_cqe}. */
    long completionArray();

    @Override
    void close();
}
