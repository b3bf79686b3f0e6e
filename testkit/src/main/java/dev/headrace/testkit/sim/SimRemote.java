package dev.headrace.testkit.sim;

import dev.headrace.testkit.sim.Violation.Rule;
import org.jspecify.annotations.Nullable;

/**
 * The remote side of one connection of a run: sends its stream as the plan says and checks the echo.
 *
 * <p>Thread: the simulation's.
 */
final class SimRemote implements Remote.Script {
    private final Simulation run;
    private final int number;
    private final Stream stream;
    private @Nullable Remote remote;
    private long sentBytes;
    private long receivedBytes;
    private boolean ended;
    private boolean failed;
    private boolean finished;
    private boolean reset;

    SimRemote(Simulation run, int number) {
        this.run = run;
        this.number = number;
        this.stream = new Stream(number);
    }

    @Override
    public void connected(Remote connected) {
        remote = connected;
    }

    @Override
    public void received(Remote from, byte[] bytes) {
        stream.require(receivedBytes, bytes);
        receivedBytes += bytes.length;
        if (receivedBytes > sentBytes) {
            throw new Violation(Rule.BYTES, "connection " + number + " was echoed more than it sent");
        }
    }

    @Override
    public void ended(Remote from) {
        ended = true;
        run.kernel().trace("remote end " + number + " met the end after " + receivedBytes + " bytes");
        finish();
    }

    @Override
    public void failed(Remote from) {
        failed = true;
        run.kernel().trace("remote end " + number + " failed after " + receivedBytes + " bytes");
    }

    void carryOut(Act act) {
        Remote to = remote;
        if (to == null || to.over()) {
            return;
        }
        switch (act.kind()) {
            case REMOTE_SENDS -> send(act.amount());
            case REMOTE_FINISHES -> finish();
            case REMOTE_RESETS -> {
                reset = true;
                to.reset();
            }
            case REMOTE_STALLS -> to.reading(false);
            case REMOTE_READS_ON -> to.reading(true);
            default -> throw new AssertionError(act);
        }
    }

    void send(int count) {
        Remote to = remote;
        if (to != null && !to.over() && !finished) {
            byte[] bytes = stream.bytes(sentBytes, count);
            sentBytes += count;
            to.send(bytes);
        }
    }

    void finish() {
        Remote to = remote;
        if (to != null && !finished) {
            finished = true;
            to.finish();
        }
    }

    /** Whether it can still send. */
    boolean sending() {
        Remote to = remote;
        return to != null && !to.over() && !finished && !failed && to.unsentBytes() < 1000;
    }

    /** Whether everything that was sent has come back; one that cannot send any more waits for nothing. */
    boolean satisfied() {
        Remote to = remote;
        return to == null || to.over() || finished || failed || receivedBytes == sentBytes;
    }

    /** Whether it has connected and nothing has ended it. */
    boolean waiting() {
        Remote to = remote;
        return to != null && !to.over() && !failed && !reset;
    }

    @Override
    public String toString() {
        return sentBytes + " bytes sent " + receivedBytes + " came back";
    }

    void readOn() {
        if (remote != null) {
            remote.reading(true);
        }
    }

    /** When both sides ended in order, everything has come back. */
    void requireWhole(SimHandler handler) {
        if (failed || reset || !ended || !handler.inOrder()) {
            return;
        }
        if (handler.receivedBytes() != sentBytes || receivedBytes != handler.writtenBytes()) {
            throw new Violation(
                    Rule.BYTES,
                    "connection " + number + " ended in order, but sent " + sentBytes + ", the engine got "
                            + handler.receivedBytes() + " and wrote " + handler.writtenBytes() + ", " + receivedBytes
                            + " came back");
        }
    }
}
