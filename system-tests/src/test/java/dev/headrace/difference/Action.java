package dev.headrace.difference;

import java.util.List;

/**
 * One step of a scenario. The step is over when its effect was seen.
 *
 * @param connection which one, by the order of their beginnings
 * @param bytes how many, where the kind has a use for them
 * @param others further connections that take part
 */
record Action(Kind kind, int connection, int bytes, List<Integer> others) {
    Action {
        others = List.copyOf(others);
    }

    /** What is done, and by whom. */
    enum Kind {
        /** A client connects to a handler that echoes and closes at the end of the input. */
        CONNECT_TO_ECHO,
        /** A client connects to a handler that keeps what it receives, and stays when the input has ended. */
        CONNECT_TO_KEEP,
        /** The engine connects, with a handler that echoes. */
        REACH,
        /** The engine connects to where nobody listens. */
        REACH_NOBODY,
        SEND,
        /** Every client whose bytes will be taken sends, before any looks for what comes back. */
        ALL_SEND,
        /** The server writes, and goes on whenever it is told that there is room. */
        WRITE,
        /** The server writes many times in one turn. */
        WRITE_PIECES,
        PAUSE,
        RESUME,
        /** The client ends its output. */
        FINISH,
        /** Bytes and the end after them reach the server in one turn. */
        SEND_AND_FINISH,
        /** The server ends its output. */
        FINISH_OUTPUT,
        /** The client resets the connection. */
        RESET,
        /** Bytes and a reset after them reach the server in one turn. */
        SEND_AND_RESET,
        /** The client resets a connection whose reading pauses, and the pause ends. */
        RESET_IN_PAUSE,
        /** The client closes with a byte unread, which resets the connection. */
        LEAVE_UNREAD,
        /** The client closes, and the server goes on writing. */
        LEAVE_WRITER,
        /** The server closes, and the client follows. */
        CLOSE,
        /** The server closes, and the client sends more before it follows. */
        CLOSE_EARLY,
        ABORT,
        /** The handler throws when it receives. */
        THROW,
        /** Handlers keep buffers, until a second client's bytes find none; then the buffers are given back. */
        STARVE,
        /** The server writes more than the client's side takes; then the client reads all of it. */
        STALL,
        /** As before, but the client resets. */
        STALL_AND_RESET,
        /** As before, but the server aborts. */
        STALL_AND_ABORT,
        /** As before, but the server closes before the client reads. */
        STALL_AND_CLOSE
    }

    @Override
    public String toString() {
        return kind + " " + connection + (bytes > 0 ? " " + bytes + " B" : "") + (others.isEmpty() ? "" : " " + others);
    }
}
