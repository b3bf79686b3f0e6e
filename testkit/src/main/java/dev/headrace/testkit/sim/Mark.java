package dev.headrace.testkit.sim;

/** A rare thing that a simulated run must meet often enough to count: a fault that was made, or a branch that was taken. */
public enum Mark {
    /** A send took fewer bytes than there was room for. */
    SHORT_SEND,
    /** A send found too little room and had to wait for more. */
    SEND_WAITED,
    /** A send that may not wait failed or was cut short. */
    QUIET_SEND_FAILED,
    /** A receive was given a single byte of several. */
    ONE_BYTE_RECEIVE,
    /** A socket call was interrupted. */
    CALL_INTERRUPTED,
    /** A wait ended early with nothing to tell. */
    WAIT_INTERRUPTED,
    /** A poller told of a descriptor that was not ready. */
    SPURIOUS_EVENT,
    /** A poller told of some of the ready descriptors only. */
    PARTIAL_EVENTS,
    /** The kernel took no submission for the moment: EAGAIN. */
    ENTER_AGAIN,
    /** The kernel took no submission before completions are reaped: EBUSY. */
    ENTER_BUSY,
    /** The kernel took only the first of the submissions. */
    PARTIAL_SUBMIT,
    /** A completion found the queue full. */
    COMPLETION_OVERFLOW,
    /** A completion came later than it might have. */
    LATE_COMPLETION,
    /** Completions came in another order than their causes. */
    REORDERED_COMPLETIONS,
    /** A multishot request ended although nothing was wrong. */
    MULTISHOT_ENDED,
    /** A receive found no provided buffer. */
    NO_BUFFERS,
    /** The kernel refused to take a buffer that was offered. */
    OFFER_REFUSED,
    /** A request was cancelled while data was there for it. */
    CANCEL_FIRST,
    /** A cancelled request gave data before it ended. */
    DATA_BEFORE_CANCEL,
    /** A cancellation found its target at its end. */
    CANCEL_TOO_LATE,
    /** A cancelled send told how much of it had gone. */
    CANCELLED_SEND_PARTIAL,
    /** The peer sent a reset. */
    PEER_RESET,
    /** The peer ended its output. */
    PEER_FINISHED,
    /** The peer reset before it was accepted. */
    RESET_IN_BACKLOG,
    /** No descriptor was left for an accept. */
    ACCEPT_EXHAUSTED,
    /** An accept failed because of the connection that waited. */
    ACCEPT_ABORTED,
    /** A connect was refused. */
    CONNECT_REFUSED,
    /** A connect was never answered. */
    CONNECT_UNANSWERED,
    /** The wake-up reached the kernel only after a while. */
    WAKE_UP_LATE,
    /** The loop was not given the processor for a long while. */
    CLOCK_JUMP,
    /** A handler threw. */
    HANDLER_THREW,
    /** A handler closed or aborted its connection from within a call. */
    ENDED_IN_HANDLER,
    /** A retained buffer was released by another thread. */
    RELEASED_ELSEWHERE,
    /** A task came from another thread. */
    TASK_FROM_ELSEWHERE,
    /** A copying write was cut short, and drained told of room. */
    DRAINED,
    /** Reading was paused and resumed. */
    PAUSED,
    /** The group was shut down while connections were open. */
    SHUT_DOWN_UNDER_TRAFFIC,
    /** A connection waited for a buffer. */
    STARVED
}
