package dev.headrace.engine.hybrid;

import dev.headrace.abi.linux.Poll;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.readiness.ReadinessDriver;
import dev.headrace.engine.uring.UringDriver;

/**
 * Accepts on a ring, moves data on a poller: a listener's multishot accept costs no call per connection, and everything
 * else is as on epoll.
 *
 * <p>The ring's descriptor waits in the poller, as a poll of this driver's own. The ring is entered only when it has
 * something to take or to tell, so that traffic on open connections costs no call more than on epoll.
 *
 * <p>Thread: the loop's, for all but {@link #wake}. Owns: both drivers.
 */
final class HybridDriver implements Driver, OperationOwner {
    /**
     * The rung that this ring does without. Deferred work waits until the ring is entered, and does not make its
     * descriptor readable for one who sleeps in a poller (seen on Linux 6.18: connections stay unaccepted).
     */
    static final String DEFERRED = "defer-taskrun";

    private final UringDriver accepts;
    private final ReadinessDriver data;
    private final Operation ringReady = new Operation(this);
    /** Whether the ring has submissions to take or completions to give. */
    private boolean ringDue = true;

    HybridDriver(UringDriver accepts, ReadinessDriver data) {
        this.accepts = accepts;
        this.data = data;
        watchRing();
    }

    private void watchRing() {
        data.stage(ringReady.preparePoll(accepts.descriptor(), Poll.POLLIN));
    }

    @Override
    public void stage(Operation operation) {
        if (operation.kind() == Operation.Kind.ACCEPT) {
            ringDue = true;
            accepts.stage(operation);
        } else {
            data.stage(operation);
        }
    }

    @Override
    public void cancel(Operation operation) {
        if (operation.kind() == Operation.Kind.ACCEPT) {
            ringDue = true;
            accepts.cancel(operation);
        } else {
            data.cancel(operation);
        }
    }

    @Override
    public void turn(long waitNanos, Completions completions) {
        if (ringDue) {
            accepts.turn(0, completions);
            // What the kernel did not take for the moment goes again: nothing would make the ring readable before.
            ringDue = accepts.unsubmitted();
        }
        // A record that is there already must not wait for the next event.
        data.turn(completions.count() == 0 && !ringDue ? waitNanos : 0, completions);
    }

    /** The ring is readable. */
    @Override
    public void completed(Operation operation, int result, boolean more, int bufferId) {
        ringDue = true;
        watchRing();
    }

    @Override
    public void wake() {
        data.wake();
    }

    @Override
    public Capabilities capabilities() {
        return together(data.capabilities(), accepts.capabilities());
    }

    /** The rungs of the poller, then those of the ring that accepting rests on. */
    static Capabilities together(Capabilities poller, Capabilities ring) {
        Capabilities.Builder all = new Capabilities.Builder();
        poller.rungs().forEach(rung -> all.add(rung.name(), rung.inUse(), rung.reason()));
        all.add("accept-on-io_uring", true, "the ring's descriptor waits in epoll");
        for (Capabilities.Rung rung : ring.rungs()) {
            if (rung.name().equals(DEFERRED)) {
                all.add(DEFERRED, false, "it would not wake the poller");
            } else if (!HybridBackend.DATA_RUNGS.contains(rung.name())) {
                all.add(rung.name(), rung.inUse(), rung.reason());
            }
        }
        return all.build();
    }

    @Override
    public void close() {
        data.close();
        accepts.close();
    }
}
