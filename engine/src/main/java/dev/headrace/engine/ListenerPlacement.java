package dev.headrace.engine;

/** Which loops of a group accept connections. */
public enum ListenerPlacement {
    /** One socket on the first loop, which hands each connection to the loop whose turn it is: an even spread. */
    SHARED,
    /**
     * A socket on each loop, all on one address by SO_REUSEPORT (Linux 3.9): the kernel spreads connections by a hash of
     * their addresses, and each stays on the loop that accepted it.
     */
    PER_LOOP
}
