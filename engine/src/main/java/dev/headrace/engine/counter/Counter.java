package dev.headrace.engine.counter;

/** What a loop counts; all but the marked ones only grow. */
public enum Counter {
    /** Steps of the loop. */
    TURNS,
    /** System calls that wait for completions or readiness: {@code io_uring_enter}, {@code epoll_wait}. */
    ENTERS,
    /** Completion records dispatched. */
    COMPLETIONS,
    /** Times the completion queue had overflowed; nothing is lost, but the kernel had to keep completions aside. */
    OVERFLOWS,
    /** Receives that found no buffer. */
    ENOBUFS,
    /** The longest time from the end of a wait to the next wait, in nanoseconds. A maximum, not a sum. */
    LONGEST_TURN_NANOS,
    /** Connections accepted or connected by this loop. */
    CONNECTIONS_OPENED,
    /** Connections closed, for whatever reason. */
    CONNECTIONS_CLOSED,
    /** Times accepting paused because descriptors or memory had run out. */
    ACCEPT_PAUSES,
    /** Bytes received from peers. */
    BYTES_RECEIVED,
    /** Bytes the kernel took for sending. */
    BYTES_SENT,
    /** Exceptions thrown by handlers and tasks. */
    HANDLER_FAILURES,
    /** Sends that the kernel took in part or not at once. */
    SHORT_SENDS,
    /** Completions of operations that had ended already; always 0 unless something is wrong. */
    STALE_COMPLETIONS,
    /** Times the kernel refused a batch of submissions for the moment (EAGAIN, EBUSY). */
    SUBMISSIONS_REFUSED
}
