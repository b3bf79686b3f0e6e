package dev.headrace.engine.readiness;

/**
 * Tells which descriptors are ready: {@code select}, {@code poll}, {@code epoll} or {@code kqueue}.
 *
 * <p>Part of the narrow seam to the kernel; a simulated kernel implements it as well. Hang-up and error are reported for
 * each registered descriptor, whatever the interest.
 *
 * <p>Thread: the loop's. Owns: the kernel object behind it; never the descriptors.
 */
public interface Poller extends AutoCloseable {
    /** Interest and event: input or end of input. */
    int READ = 1;
    /** Interest and event: room for output, or a connect that ended. */
    int WRITE = 2;
    /** Event alone: hang-up in both directions, or an error. */
    int HANG_UP = 4;
    /** Event alone, beside {@link #READ}: the peer has finished sending. Only edge-triggered pollers need to tell. */
    int END = 8;

    /**
     * Descriptors from this number on cannot be watched: FD_SETSIZE for select, no limit for the others.
     */
    default int descriptorsMax() {
        return Integer.MAX_VALUE;
    }

    /**
     * Whether readiness is told once, when it comes about, instead of as long as it lasts. Setting the interest again
     * tells it anew.
     */
    default boolean edgeTriggered() {
        return false;
    }

    /**
     * Sets what is of interest about a descriptor.
     *
     * @param registered whether the poller knows the descriptor already
     * @param interest {@link #READ}, {@link #WRITE}, both or 0
     * @param token comes back with each event
     * @return 0 or a negative errno
     */
    int watch(int fd, boolean registered, int interest, long token);

    /** Forgets a descriptor; before it is closed, for a duplicate would keep it alive here. */
    int forget(int fd);

    /**
     * Waits for events.
     *
     * @param waitNanos 0 not at all, negative without end
     * @return how many there are; 0 on time-out or interruption
     */
    int await(long waitNanos);

    /** The token of event {@code index} of the last {@link #await}. */
    long token(int index);

    /** {@link #READ}, {@link #WRITE} and {@link #HANG_UP} bits of event {@code index} of the last {@link #await}. */
    int events(int index);

    @Override
    void close();
}
