package dev.headrace.engine.driver;

/**
 * An {@code eventfd(2)}: what a loop waits on so that other threads can wake it.
 *
 * <p>Part of the seam to the kernel; a simulated one implements it as well.
 *
 * <p>Thread: {@link #signal} from any thread; the rest the loop's. Owns: the descriptor, until {@link #close}.
 */
public interface EventFd extends AutoCloseable {
    int fd();

    /** Eight bytes for the count that a read takes. */
    long drainAddress();

    /** Makes the descriptor readable; nothing once it is closed. */
    void signal();

    /** Takes the count, so that the descriptor is not readable any more. */
    void drain();

    @Override
    void close();
}
