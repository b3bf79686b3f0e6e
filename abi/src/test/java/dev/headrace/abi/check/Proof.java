package dev.headrace.abi.check;

/** A call, or a few, whose answer tells whether a constant has a value. */
@FunctionalInterface
interface Proof {
    /** Whether the kernel answers as it must if the constant has this value, and only then. */
    boolean holds(long value);
}
