package dev.headrace.lab.race;

/**
 * A line that tells the load process what to do.
 *
 * <p>Thread: any; immutable.
 *
 * @param action what; the other values are used as that needs
 * @param server which server
 * @param tracepoint number of the system call tracepoint, or {@link #NOT_COUNTED}
 */
record LoadRequest(
        Action action,
        String server,
        String host,
        int port,
        long pid,
        int connections,
        int payloadBytes,
        int depth,
        int active,
        long settleNanos,
        long windowNanos,
        long tracepoint) {
    /** System calls are not to be counted in this window. */
    static final long NOT_COUNTED = -1;

    /** What the load process can do. */
    enum Action {
        /** Connect to a server and keep the connections. */
        OPEN,
        /** Load a server for the length of a window and measure. */
        WINDOW,
        /** Abort the connections to a server. */
        CLOSE
    }

    static LoadRequest open(ServerProcess server, Cell cell) {
        return new LoadRequest(
                Action.OPEN,
                server.name(),
                server.address().getHostString(),
                server.address().getPort(),
                server.pid(),
                cell.connections(),
                cell.payloadBytes(),
                cell.depth(),
                cell.active(),
                0,
                0,
                NOT_COUNTED);
    }

    static LoadRequest window(String server, long settleNanos, long windowNanos, long tracepoint) {
        return new LoadRequest(Action.WINDOW, server, "", 0, 0, 0, 0, 0, 0, settleNanos, windowNanos, tracepoint);
    }

    static LoadRequest close(String server) {
        return new LoadRequest(Action.CLOSE, server, "", 0, 0, 0, 0, 0, 0, 0, 0, NOT_COUNTED);
    }
}
