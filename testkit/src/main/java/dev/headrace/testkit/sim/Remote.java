package dev.headrace.testkit.sim;

import java.util.function.Function;

/**
 * The other end of a simulated connection: what a script makes of it.
 *
 * <p>Thread: the simulation's.
 */
public final class Remote {
    /** What a remote end does when something happens. */
    public interface Script {
        void connected(Remote remote);

        void received(Remote remote, byte[] bytes);

        /** The engine has finished sending. */
        void ended(Remote remote);

        /** The connection was reset or refused. */
        void failed(Remote remote);
    }

    private final SimKernel kernel;
    private final Endpoint endpoint;
    private final Script script;
    private final ByteFifo unsent = new ByteFifo();
    private boolean reading = true;
    private boolean finishing;
    private boolean finished;
    private boolean over;
    private boolean endTold;

    Remote(SimKernel kernel, Endpoint endpoint, Script script) {
        this.kernel = kernel;
        this.endpoint = endpoint;
        this.script = script;
        endpoint.arrived = this::proceed;
    }

    Remote(SimKernel kernel, Endpoint endpoint, Function<Remote, Script> scripts) {
        this.kernel = kernel;
        this.endpoint = endpoint;
        endpoint.arrived = this::proceed;
        this.script = scripts.apply(this);
    }

    Script script() {
        return script;
    }

    /** Sends as fast as there is room. */
    public void send(byte[] bytes) {
        unsent.add(bytes, 0, bytes.length);
        proceed();
    }

    /** Ends its output when everything is sent. */
    public void finish() {
        finishing = true;
        proceed();
    }

    /** Ends at once. */
    public void reset() {
        if (!over) {
            kernel.marks().met(Mark.PEER_RESET);
            over = true;
            endpoint.reset();
        }
    }

    /** Whether it takes what arrives. */
    public void reading(boolean on) {
        reading = on;
        proceed();
    }

    /** Whether nothing more will happen here. */
    public boolean over() {
        return over || finished && endTold;
    }

    public int unsentBytes() {
        return unsent.size();
    }

    private void proceed() {
        if (over || !endpoint.established() && !endpoint.over()) {
            return;
        }
        push();
        while (reading && !over && endpoint.available() > 0) {
            script.received(this, endpoint.take(endpoint.available()));
        }
        if (over || endpoint.available() > 0) {
            return;
        }
        if (endpoint.over()) {
            over = true;
            script.failed(this);
        } else if (endpoint.ended() && !endTold) {
            endTold = true;
            script.ended(this);
        }
    }

    private void push() {
        int count = Math.min(unsent.size(), endpoint.over() ? 0 : endpoint.room());
        if (count > 0) {
            endpoint.send(unsent.take(count));
        }
        if (unsent.size() > 0) {
            endpoint.awaitRoom();
        } else if (finishing && !finished && !endpoint.over()) {
            finished = true;
            kernel.marks().met(Mark.PEER_FINISHED);
            endpoint.finish();
        }
    }
}
