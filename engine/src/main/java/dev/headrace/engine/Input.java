package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a connection: one standing receive, what arrived while reading was paused, and the end.
 *
 * <p>A receive that found no buffer waits in the loop's {@link Starvation}, with a watch for hang-up in its place.
 *
 * <p>Thread: the loop's. Owns: its operations, and a lease on each buffer held.
 */
final class Input implements OperationOwner {
    private final Connection connection;
    private final Operation receive;
    private @Nullable Operation hangUpWatch;
    private @Nullable ArrayDeque<Buffer> held;
    /** The user asked for a pause. */
    private boolean paused;
    /** Too much output is pending. */
    private boolean throttled;

    /** The receive is staged and its terminal record has not been dispatched yet. */
    private boolean armed;

    private boolean discarding;
    private boolean stopped;
    private boolean starving;
    private boolean ended;
    private boolean endDelivered;

    Input(Connection connection) {
        this.connection = connection;
        this.receive = new Operation(this);
    }

    /** The peer has finished sending, and everything before that was delivered or discarded. */
    boolean ended() {
        return ended && (endDelivered || discarding);
    }

    boolean idle() {
        return !armed && hangUpWatch == null;
    }

    void arm() {
        boolean wanted = discarding || !(paused || throttled);
        if (wanted && !armed && !ended && !stopped && !starving) {
            armed = true;
            connection.loop().driver().stage(receive.prepareReceive(connection.fd()));
        }
    }

    void pause(boolean pause) {
        paused = pause;
        pausedChanged();
    }

    void throttle(boolean throttle) {
        if (throttled != throttle) {
            throttled = throttle;
            pausedChanged();
        }
    }

    boolean throttled() {
        return throttled;
    }

    private void pausedChanged() {
        if (paused || throttled) {
            connection.loop().driver().cancel(receive);
        } else {
            connection.loop().changed(connection);
        }
    }

    /** Delivers what was held back, once reading goes on; part of the loop's flush. */
    void proceed() {
        while (!paused && !throttled && !discarding && held != null && !held.isEmpty()) {
            connection.deliver(held.remove());
        }
        deliverEnd();
        arm();
    }

    /** From here on input is thrown away: only its end matters. */
    void discard() {
        discarding = true;
        releaseHeld();
        arm();
    }

    /** Asks for the end of everything in flight. */
    void stop() {
        stopped = true;
        discarding = true;
        releaseHeld();
        connection.loop().driver().cancel(receive);
        cancelWatch();
        if (starving) {
            starving = false;
            connection.loop().starvation().remove(this);
        }
    }

    @Override
    public void completed(Operation operation, int result, boolean more, int bufferId) {
        if (operation != receive) {
            hangUp(operation, result);
            return;
        }
        armed = more;
        if (result > 0) {
            received(connection.loop().receivePool().lease(bufferId, result));
        } else if (result == 0 && !connection.resetUnseen()) {
            ended = true;
            deliverEnd();
        } else if (result == 0) {
            connection.failed("receive", -Errno.ECONNRESET);
        } else if (result == -Errno.ENOBUFS) {
            starve();
        } else if (result != -Errno.ECANCELED && result != -Errno.EINTR && result != -Errno.EAGAIN) {
            connection.failed("receive", result);
        }
        if (!more) {
            arm();
            connection.settle();
        }
    }

    private void received(Buffer buffer) {
        connection.loop().counters().add(Counter.BYTES_RECEIVED, buffer.length());
        if (discarding) {
            buffer.release();
        } else if (paused || throttled || (held != null && !held.isEmpty())) {
            if (held == null) {
                held = new ArrayDeque<>(4);
            }
            held.add(buffer);
        } else {
            connection.deliver(buffer);
        }
    }

    private void deliverEnd() {
        boolean nothingBefore = held == null || held.isEmpty();
        if (ended && !endDelivered && !discarding && !paused && !throttled && nothingBefore) {
            endDelivered = true;
            connection.deliverEnd();
        }
    }

    private void starve() {
        if (stopped) {
            return;
        }
        starving = true;
        connection.loop().starvation().add(this);
        if (hangUpWatch == null) {
            watchForHangUp();
        }
    }

    private void watchForHangUp() {
        Operation watch = connection.loop().operations().borrow(this).preparePoll(connection.fd(), 0);
        hangUpWatch = watch;
        connection.loop().driver().stage(watch);
    }

    /** A buffer is there: the receive may be armed again. */
    void feed() {
        starving = false;
        cancelWatch();
        arm();
    }

    private void cancelWatch() {
        if (hangUpWatch != null) {
            connection.loop().driver().cancel(hangUpWatch);
        }
    }

    private void hangUp(Operation watch, int result) {
        hangUpWatch = null;
        connection.loop().operations().giveBack(watch);
        if (starving) {
            int error = connection.loop().sockets().option(connection.fd(), Socket.SOL_SOCKET, Socket.SO_ERROR);
            if (error > 0) {
                connection.failed("receive", -error);
            } else if (result == -Errno.ECANCELED) {
                // Fed, and starved again before the watch had ended.
                watchForHangUp();
            }
        }
        connection.settle();
    }

    private void releaseHeld() {
        while (held != null && !held.isEmpty()) {
            held.remove().release();
        }
    }
}
