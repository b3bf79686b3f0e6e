package dev.headrace.engine.driver;

/**
 * Turns staged operations into requests to the kernel, and the kernel's answers into completion records.
 *
 * <p>The contract, the same for each backend: every staged operation gets records until exactly one with
 * {@code more == false}; from {@link #stage} to that record the operation and what it points at belong to the driver.
 * No method calls back.
 *
 * <p>Thread: the loop's, for all but {@link #wake}. Owns: its kernel objects; never the descriptors of connections.
 */
public interface Driver extends AutoCloseable {
    /** Takes an operation over; it is submitted in the next turn at the latest. */
    void stage(Operation operation);

    /**
     * Asks for the end of an operation. It may still deliver data before its terminal record, and may even succeed; an
     * idle operation is left alone.
     */
    void cancel(Operation operation);

    /**
     * Submits what is staged, waits, and adds records.
     *
     * @param waitNanos how long to wait when there is nothing to report: 0 not at all, negative without end
     */
    void turn(long waitNanos, Completions completions);

    /** Ends a wait, this one or the next. Any thread. */
    void wake();

    /** What this driver uses of the kernel, with reasons. */
    Capabilities capabilities();

    /** Gives the kernel objects back; nothing may be in flight. */
    @Override
    void close();
}
