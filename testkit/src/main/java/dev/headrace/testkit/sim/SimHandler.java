package dev.headrace.testkit.sim;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.testkit.sim.Violation.Rule;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of one connection of a run: behaves as its {@link Plan.Mode} says, and checks what it is told.
 *
 * <p>Thread: the simulation's.
 */
final class SimHandler implements ConnectionHandler {
    private static final long KEPT_NANOS_MAX = 2_000_000;

    private final Simulation run;
    private final int number;
    private final Plan.Mode mode;
    private final Stream incoming;
    private final ArrayDeque<Buffer> kept = new ArrayDeque<>();
    private @Nullable Connection connection;
    private long receivedBytes;
    /** Echoed so far, or on its way. */
    private long writtenBytes;
    /** Where in the stream the first buffer that is kept begins. */
    private long keptBytes;

    private boolean ended;
    private boolean closed;
    private boolean aborted;
    private boolean closeAsked;
    private boolean outputOver;
    private @Nullable Throwable cause;
    private int calls;

    SimHandler(Simulation run, int number, Plan.Mode mode) {
        this.run = run;
        this.number = number;
        this.mode = mode;
        this.incoming = new Stream(number);
    }

    private void require(boolean right, String what) {
        if (!right) {
            throw new Violation(Rule.DEAD_CONNECTION, "connection " + number + ": " + what);
        }
    }

    @Override
    public void opened(Connection opened) {
        require(connection == null, "opened twice");
        connection = opened;
        run.kernel().trace("connection " + number + " is open: " + opened);
        run.opened(number, this);
    }

    @Override
    public void received(Connection from, Buffer data) {
        require(from == connection && !closed, "received after its end");
        require(!ended, "received after the end of input");
        incoming.require(receivedBytes, data);
        receivedBytes += data.length();
        calls++;
        if (outputOver || !from.open()) {
            return;
        }
        switch (mode) {
            case ECHO -> echo(from, data);
            case RETAIN -> keep(from, data);
            case COPY -> copy(from);
            case THROW -> {
                if (calls == 15) {
                    run.kernel().marks().met(Mark.HANDLER_THREW);
                    aborted = true;
                    throw new Witness.Planned();
                }
                echo(from, data);
            }
            case CLOSE -> {
                echo(from, data);
                if (calls == 20) {
                    run.kernel().marks().met(Mark.ENDED_IN_HANDLER);
                    close();
                }
            }
        }
    }

    private void echo(Connection to, Buffer data) {
        to.write(data);
        writtenBytes += data.length();
    }

    private void keep(Connection from, Buffer data) {
        kept.add(data.retain());
        from.loop()
                .schedule(
                        run.kernel().chance().below((int) KEPT_NANOS_MAX),
                        run.witness().watching(this::giveBack));
    }

    private void giveBack() {
        Buffer data = kept.poll();
        if (data == null) {
            return;
        }
        Connection to = Objects.requireNonNull(connection);
        incoming.require(keptBytes, data);
        keptBytes += data.length();
        if (!closed && to.open() && !outputOver) {
            to.write(data);
            writtenBytes += data.length();
        }
        if (run.kernel().chance().below(2) == 0) {
            run.kernel().marks().met(Mark.RELEASED_ELSEWHERE);
            run.elsewhere().run(data::release);
        } else {
            data.release();
        }
        if (kept.isEmpty() && ended && !closed && !closeAsked) {
            close();
        }
    }

    /** Writes copies of what was received and is not written yet, as much as is taken. */
    private void copy(Connection to) {
        while (writtenBytes < receivedBytes && to.open() && !outputOver) {
            int count = (int) Math.min(512, receivedBytes - writtenBytes);
            int taken = to.write(incoming.bytes(writtenBytes, count), 0, count);
            writtenBytes += taken;
            if (taken < count) {
                return;
            }
        }
        if (ended && !closeAsked && !closed && writtenBytes == receivedBytes) {
            close();
        }
    }

    @Override
    public void drained(Connection of) {
        require(!closed, "drained after its end");
        if (mode == Plan.Mode.COPY) {
            run.kernel().marks().met(Mark.DRAINED);
            copy(of);
        }
    }

    @Override
    public void inputEnded(Connection of) {
        require(!closed, "end of input after its own end");
        require(!ended, "two ends of input");
        ended = true;
        switch (mode) {
            case RETAIN -> {
                if (kept.isEmpty()) {
                    close();
                }
            }
            case COPY -> copy(of);
            default -> close();
        }
    }

    @Override
    public void closed(Connection of, @Nullable Throwable why) {
        require(!closed, "closed twice");
        closed = true;
        cause = why;
        run.kernel().trace("connection " + number + " is closed: " + why);
        while (!kept.isEmpty()) {
            kept.remove().release();
        }
        run.closed(number);
    }

    // ---- what the plan has the engine do

    void carryOut(Act act) {
        Connection at = connection;
        if (at == null || closed) {
            return;
        }
        switch (act.kind()) {
            case ENGINE_PAUSES -> {
                run.kernel().marks().met(Mark.PAUSED);
                at.pauseReading();
            }
            case ENGINE_READS_ON -> at.resumeReading();
            case ENGINE_SHUTS_OUTPUT -> {
                outputOver = true;
                at.shutdownOutput();
            }
            case ENGINE_CLOSES -> close();
            case ENGINE_ABORTS -> {
                aborted = true;
                at.abort();
            }
            default -> throw new AssertionError(act);
        }
    }

    private void close() {
        closeAsked = true;
        Objects.requireNonNull(connection).close();
    }

    /** Whether what is received still goes back. */
    boolean echoing() {
        return !closed && !closeAsked && !aborted && !outputOver && !ended;
    }

    boolean isClosed() {
        return closed;
    }

    long receivedBytes() {
        return receivedBytes;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /** Whether it ended in order on both sides, so that nothing may be missing. */
    boolean inOrder() {
        return ended && cause == null && !aborted;
    }

    @Override
    public String toString() {
        return "connection " + number + " (" + mode + "): received " + receivedBytes + ", wrote " + writtenBytes
                + (ended ? ", input ended" : "") + (closed ? ", closed" : ", open") + " " + connection;
    }
}
