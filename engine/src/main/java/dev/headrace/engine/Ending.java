package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.socket.SocketErrors;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How a connection ends, step by step; each step waits for the completions of the one before.
 *
 * <p>A close drains the output, sends FIN, lingers to the peer's end or a deadline, cancels what is in flight, waits for
 * every terminal record and closes the descriptor. An abort or a failure begins with the cancelling. Closing a descriptor
 * with an operation in flight would give no completion, and the peer no FIN.
 *
 * <p>Thread: the loop's. Owns: the shutdown or close in flight, and the deadline.
 */
final class Ending implements OperationOwner {
    private enum Phase {
        OPEN,
        /** Closed by the user; output is still going out. */
        DRAINING,
        /** FIN is sent; the peer's end is awaited. */
        LINGERING,
        /** Whatever is in flight is being cancelled. */
        STOPPING,
        /** The close of the descriptor is on its way. */
        CLOSING,
        CLOSED
    }

    private final Connection connection;
    private final Input input;
    private final Output output;
    private Phase phase = Phase.OPEN;
    private boolean finWanted;
    private boolean finSent;
    private boolean resets;

    private @Nullable Throwable cause;
    /** The shutdown or the close. */
    private @Nullable Operation control;

    private @Nullable Timer deadline;
    private long pendingAtDeadline;
    /** The send in flight was interrupted at the deadline, to see whether it had got anywhere. */
    private boolean probing;

    Ending(Connection connection, Input input, Output output) {
        this.connection = connection;
        this.input = input;
        this.output = output;
    }

    boolean open() {
        return phase == Phase.OPEN;
    }

    /** Whether the output is to end, or the whole connection. */
    boolean begun() {
        return finWanted || phase != Phase.OPEN;
    }

    /** Whether nothing is sent or delivered any more. */
    boolean stopping() {
        return phase != Phase.OPEN && phase.compareTo(Phase.STOPPING) >= 0;
    }

    /** Whether the descriptor may be somebody else's by now. */
    boolean descriptorGone() {
        return phase.compareTo(Phase.CLOSING) >= 0;
    }

    /** Whether the connection has failed, and its handler was not told yet. */
    boolean failed() {
        return cause != null && phase != Phase.CLOSED;
    }

    /** The output ends once it is sent. */
    void wantFin() {
        if (phase == Phase.OPEN && !finWanted) {
            finWanted = true;
            connection.loop().changed(connection);
        }
    }

    void close() {
        if (phase == Phase.OPEN) {
            phase = Phase.DRAINING;
            input.discard();
            startDeadline();
            connection.loop().changed(connection);
        }
    }

    void abort() {
        fail(null, true);
    }

    /** A receive or a send has failed. While lingering that is no news: the peer may end as it likes. */
    void failed(String attempted, int result) {
        fail(phase == Phase.LINGERING ? null : SocketErrors.exception(attempted, result), false);
    }

    void fail(@Nullable Throwable why, boolean reset) {
        if (!stopping()) {
            cause = why;
            resets = reset;
            stop();
        }
    }

    /** Ends without the driver, which is gone: the socket is closed by calls. */
    void abandon(Throwable why) {
        if (phase == Phase.CLOSED) {
            return;
        }
        // A close that was on its way may have been carried out: then the number is somebody else's.
        if (!descriptorGone()) {
            connection.loop().sockets().resetOnClose(connection.fd());
            connection.loop().sockets().close(connection.fd());
        }
        phase = Phase.CLOSED;
        connection.ended(why);
    }

    private void stop() {
        phase = Phase.STOPPING;
        if (deadline != null) {
            deadline.cancel();
        }
        input.stop();
        output.abandon();
        connection.loop().changed(connection);
    }

    /** A send has ended; whether that is all there is to say about it. */
    boolean takes(int result) {
        if (stopping()) {
            output.dropQueued();
            settle();
            return true;
        }
        if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR && result != -Errno.ECANCELED) {
            failed("send", sendError(result));
            return true;
        }
        if (probing && phase == Phase.DRAINING) {
            probing = false;
            if (result <= 0) {
                giveUpDraining();
                return true;
            }
            startDeadline();
        }
        return false;
    }

    /**
     * The kernel tells a reset once, to the call that meets it first, and a send after that only EPIPE. That call may have
     * been the same send, which had taken some bytes and reported those. Before the peer's end EPIPE means a reset.
     */
    private int sendError(int result) {
        return result == -Errno.EPIPE && !input.ended() ? -Errno.ECONNRESET : result;
    }

    /** Takes the next step if what it waits for has come. */
    void settle() {
        switch (phase) {
            case OPEN -> {
                if (finWanted && !finSent && output.empty() && control == null) {
                    stageShutdown();
                }
            }
            case DRAINING -> settleDraining();
            case LINGERING -> {
                if (input.ended() && control == null) {
                    stop();
                }
            }
            case STOPPING -> settleStopping();
            case CLOSING, CLOSED -> {}
        }
    }

    private void settleDraining() {
        if (!output.empty() || control != null) {
            return;
        }
        if (finSent) {
            phase = Phase.LINGERING;
            startDeadline();
            settle();
        } else if (input.ended()) {
            // The peer is done too: closing the descriptor sends our FIN.
            stop();
        } else {
            stageShutdown();
        }
    }

    private void settleStopping() {
        if (!input.idle() || output.sending() || control != null) {
            return;
        }
        output.dropQueued();
        if (resets) {
            connection.loop().sockets().resetOnClose(connection.fd());
        }
        phase = Phase.CLOSING;
        stage(connection.loop().operations().borrow(this).prepareClose(connection.fd()));
    }

    private void stageShutdown() {
        stage(connection.loop().operations().borrow(this).prepareShutdown(connection.fd(), Socket.SHUT_WR));
    }

    private void stage(Operation operation) {
        control = operation;
        connection.loop().driver().stage(operation);
    }

    @Override
    public void completed(Operation operation, int result, boolean more, int bufferId) {
        assert operation == control;
        control = null;
        connection.loop().operations().giveBack(operation);
        if (phase == Phase.CLOSING) {
            phase = Phase.CLOSED;
            connection.ended(cause);
        } else {
            // ENOTCONN means that the peer has reset meanwhile: the receive tells.
            finSent = true;
            settle();
        }
    }

    private void startDeadline() {
        if (deadline != null) {
            deadline.cancel();
        }
        pendingAtDeadline = output.pendingBytes();
        Loop loop = connection.loop();
        deadline = loop.schedule(loop.options().lingerNanos(), this::deadlinePassed);
    }

    private void deadlinePassed() {
        if (phase == Phase.LINGERING) {
            stop();
        } else if (phase == Phase.DRAINING) {
            // A send tells nothing before its end: interrupted, it says how much the peer has taken.
            probing = output.pendingBytes() == pendingAtDeadline && output.interrupt();
            if (!probing) {
                startDeadline();
            }
        }
    }

    private void giveUpDraining() {
        String message = "the peer took nothing of the last " + output.pendingBytes() + " bytes within "
                + connection.loop().options().linger().toMillis() + " ms";
        fail(new SocketTimeoutException(message), true);
    }

    @Override
    public String toString() {
        return phase.toString();
    }
}
