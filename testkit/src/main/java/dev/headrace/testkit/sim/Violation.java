package dev.headrace.testkit.sim;

/** A run broke a rule that holds always. */
public final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    /** What holds always. */
    public enum Rule {
        /** Each operation ends exactly once. */
        ENDS_ONCE,
        /** Memory that was lent to the kernel stays as it is until the kernel gives it back. */
        LENT_MEMORY,
        /** A descriptor is closed when nothing of it is in flight. */
        CLOSE_IN_FLIGHT,
        /** Nothing of a connection that has ended reaches its user, and its end does once. */
        DEAD_CONNECTION,
        /** Bytes arrive exactly and in order. */
        BYTES,
        /** Descriptors, buffers and requests are given back. */
        BASELINE,
        /** No turn is in vain for long. */
        SPIN,
        /** What can go on does go on. */
        PROGRESS,
        /** The loop lives. */
        LOOP_DEATH,
        /** Nothing is thrown in a handler or task that was not planned. */
        THROWN
    }

    private final Rule rule;

    public Violation(Rule rule, String what) {
        super(rule + ": " + what);
        this.rule = rule;
    }

    public Violation(Rule rule, String what, Throwable cause) {
        super(rule + ": " + what, cause);
        this.rule = rule;
    }

    public Rule rule() {
        return rule;
    }
}
