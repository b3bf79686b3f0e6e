package dev.headrace.testkit.sim;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.Listener;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.driver.Driver;
import dev.headrace.testkit.sim.Violation.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One run: the production engine in the simulated machine, on the calling thread, from the first connection to the last
 * descriptor given back.
 *
 * <p>Thread: the one that runs it.
 */
public final class Simulation {
    /** What a run came to. */
    public record Outcome(
            long operations,
            int connections,
            Marks marks,
            @Nullable Violation violation,
            List<String> trace) {
        public boolean failed() {
            return violation != null;
        }
    }

    private static final int PORT = 7000;
    private static final int REMOTE_PORT = 9000;
    private static final long SPAN_NANOS = 70_000_000;
    private static final long MORE_EVERY_NANOS = 5_000_000;
    private static final int MORE_ROUNDS_MAX = 10_000;
    private static final int CONNECTIONS_MIN = 8;
    private static final int SENDING_MIN = 4;
    private static final int OPEN_MAX = 20;
    private static final int DESCRIPTORS_PLENTY = 10_000;
    private static final long ABORT_AFTER_NANOS = 8_000_000_000L;
    private static final long QUIET_NANOS = 10_000_000_000L;
    private static final long AT_REST_NANOS = 20_000_000_000L;
    private static final long LIMIT_NANOS = 400_000_000_000L;

    private final Plan plan;
    private final long operationsMin;
    private final Marks marks = new Marks();
    private final SimKernel kernel;
    private final Witness witness;
    private final Elsewhere elsewhere;
    private final Map<Integer, SimRemote> remotes = new HashMap<>();
    private final Map<Integer, SimHandler> handlers = new HashMap<>();
    private int opened;
    private int extra;
    private @Nullable CheckedDriver driver;
    private @Nullable LoopGroup group;
    private boolean shutDown;

    private Simulation(Plan plan, Set<Mark> off, long operationsMin, Elsewhere elsewhere) {
        this.plan = plan;
        this.operationsMin = operationsMin;
        this.elsewhere = elsewhere;
        this.kernel = new SimKernel(new Chance(plan.seed(), off, marks), marks);
        this.witness = new Witness(kernel);
    }

    /** Runs what the seed makes, with at least so many operations. */
    public static Outcome run(long seed, long operationsMin) {
        return run(Plan.of(seed), Set.of(), operationsMin);
    }

    /** Runs a plan, without some kinds of faults. */
    static Outcome run(Plan plan, Set<Mark> off, long operationsMin) {
        try (Elsewhere elsewhere = new Elsewhere()) {
            return new Simulation(plan, off, operationsMin, elsewhere).run();
        }
    }

    private Outcome run() {
        Violation violation = null;
        try {
            live();
        } catch (IOException | RuntimeException | AssertionError thrown) {
            violation = first(thrown);
        }
        long staged = driver == null ? 0 : driver.staged();
        return new Outcome(staged, opened, marks, violation, kernel.trace(120));
    }

    private void live() throws IOException {
        kernel.bufferBytes(plan.kernelBufferBytes());
        SimWorld world = new SimWorld(kernel, this::checked);
        LoopGroup live = LoopGroup.onThisThread(plan.options(), () -> world);
        group = live;
        Listener listener = live.listen(address(PORT), this::accepted);
        Objects.requireNonNull(listener);
        kernel.descriptorsMax(kernel.openDescriptors() + plan.descriptorsMax());
        schedule();
        live.run();
        Loop loop = live.loops().getFirst();
        Throwable death = loop.failure();
        if (witness.first() != null || death != null) {
            throw new AssertionError("the loop did not come to its end in order", death);
        }
        requireBaseline(loop);
    }

    /** What went wrong first: a loop that dies of it closes by force, and breaks other rules on its way. */
    private Violation first(Throwable last) {
        Violation seen = witness.first();
        if (seen != null) {
            return seen;
        }
        Throwable death = group == null ? null : group.loops().getFirst().failure();
        Throwable cause = death != null ? death : last;
        return cause instanceof Violation broken ? broken : new Violation(Rule.LOOP_DEATH, cause.toString(), cause);
    }

    private Driver checked(Driver production) {
        CheckedDriver checked = new CheckedDriver(production);
        driver = checked;
        return checked;
    }

    private void requireBaseline(Loop loop) {
        if (kernel.openDescriptors() != 0) {
            throw new Violation(Rule.BASELINE, kernel.openDescriptors() + " descriptors are left open");
        }
        if (loop.buffersInUse() != 0) {
            throw new Violation(Rule.BASELINE, loop.buffersInUse() + " buffers were not given back");
        }
        if (loop.counters().get(Counter.STALE_COMPLETIONS) != 0) {
            throw new Violation(Rule.ENDS_ONCE, "completions of nobody's operations");
        }
        long failures = loop.counters().get(Counter.HANDLER_FAILURES);
        if (failures != marks.count(Mark.HANDLER_THREW)) {
            throw new Violation(
                    Rule.THROWN,
                    failures + " failures of handlers, " + marks.count(Mark.HANDLER_THREW) + " of them planned");
        }
        handlers.forEach((number, handler) -> {
            if (!handler.isClosed()) {
                throw new Violation(Rule.DEAD_CONNECTION, "never told of its end: " + handler);
            }
            SimRemote remote = remotes.get(number);
            if (remote != null) {
                remote.requireWhole(handler);
            }
        });
        if (loop.counters().get(Counter.ENOBUFS) > 0) {
            marks.met(Mark.STARVED);
        }
    }

    // ---- the plan

    private void schedule() {
        for (Act act : plan.acts()) {
            kernel.at(act.atNanos(), () -> carryOut(act));
        }
        kernel.at(SPAN_NANOS, () -> more(0));
        kernel.at(LIMIT_NANOS, () -> {
            throw new Violation(Rule.PROGRESS, "connections that do not end: " + open());
        });
    }

    private List<SimHandler> open() {
        return handlers.values().stream().filter(handler -> !handler.isClosed()).toList();
    }

    private void carryOut(Act act) {
        kernel.trace(act.toString().strip());
        switch (act.kind()) {
            case CONNECT -> connect(act.connection());
            case CONNECT_OUT -> onLoop(() -> connectOut(act.connection()));
            case REMOTE_SENDS, REMOTE_FINISHES, REMOTE_RESETS, REMOTE_STALLS, REMOTE_READS_ON -> {
                SimRemote remote = remotes.get(act.connection());
                if (remote != null) {
                    remote.carryOut(act);
                }
            }
            default -> {
                SimHandler handler = handlers.get(act.connection());
                if (handler != null && !handler.isClosed()) {
                    onLoop(() -> handler.carryOut(act));
                }
            }
        }
    }

    private void connect(int number) {
        SimRemote remote = new SimRemote(this, number);
        remotes.put(number, remote);
        kernel.connect(PORT, remote, number);
    }

    private void connectOut(int number) {
        SimRemote remote = new SimRemote(this, number);
        int port = REMOTE_PORT + number;
        if (kernel.chance().below(12) > 0) {
            kernel.listenRemotely(port, connected -> remote);
        }
        remotes.put(number, remote);
        Objects.requireNonNull(group)
                .loops()
                .getFirst()
                .connect(
                        address(port),
                        connection -> witness.watching(handler(number)),
                        (address, cause) -> kernel.trace("connection " + number + " fails: " + cause.getMessage()));
    }

    private ConnectionHandler accepted(Connection connection) {
        return witness.watching(handler(connection.remoteAddress().getPort()));
    }

    private SimHandler handler(int number) {
        Plan.Mode mode = number < plan.modes().size() ? plan.modes().get(number) : Plan.Mode.ECHO;
        return new SimHandler(this, number, mode);
    }

    /** Has a task carried out by the loop, handed over by another thread. */
    private void onLoop(Runnable task) {
        marks.met(Mark.TASK_FROM_ELSEWHERE);
        Loop loop = Objects.requireNonNull(group).loops().getFirst();
        elsewhere.run(() -> {
            try {
                loop.execute(witness.watching(task));
            } catch (RejectedExecutionException e) {
                // The group is at its end.
            }
        });
    }

    /** The plan is carried out; more of the same until the run is long enough. */
    private void more(int round) {
        boolean enough = Objects.requireNonNull(driver).staged() >= operationsMin
                && (opened >= CONNECTIONS_MIN || operationsMin == 0);
        if (enough || round == MORE_ROUNDS_MAX) {
            end();
            return;
        }
        send();
        if (round % 16 == 0) {
            readOn();
        }
        kernel.at(MORE_EVERY_NANOS, () -> more(round + 1));
    }

    private void send() {
        List<SimRemote> sending = new ArrayList<>(
                remotes.values().stream().filter(SimRemote::sending).toList());
        boolean few = opened < CONNECTIONS_MIN || sending.size() < SENDING_MIN && open().size() < OPEN_MAX;
        // While accepting pauses no more of them come than will be needed.
        if (few && remotes.size() - handlers.size() < CONNECTIONS_MIN) {
            connect(plan.modes().size() + extra++);
        }
        for (SimRemote remote : sending) {
            for (int i = 0; i < 5; i++) {
                kernel.at(kernel.chance().below((int) MORE_EVERY_NANOS), () -> {
                    if (remote.sending()) {
                        remote.send(kernel.chance().between(1, 60));
                    }
                });
            }
        }
    }

    private void end() {
        if (!plan.shutDown()) {
            settle();
            return;
        }
        send();
        kernel.at(kernel.chance().below((int) MORE_EVERY_NANOS), () -> {
            marks.met(Mark.SHUT_DOWN_UNDER_TRAFFIC);
            shutDown();
        });
        kernel.at(
                ABORT_AFTER_NANOS,
                () -> elsewhere.run(() -> Objects.requireNonNull(group).abortConnections()));
    }

    /** From here on everything comes to its end. */
    private void settle() {
        kernel.calmDown();
        readOn();
        kernel.at(QUIET_NANOS, () -> {
            requireNothingStuck();
            remotes.values().forEach(SimRemote::finish);
            kernel.at(AT_REST_NANOS, () -> {
                if (!shutDown) {
                    shutDown();
                }
            });
        });
    }

    /** Everybody reads and nothing goes wrong: what was sent has come back, without the help of an event to come. */
    private void requireNothingStuck() {
        handlers.forEach((number, handler) -> {
            SimRemote remote = remotes.get(number);
            if (remote != null && handler.echoing() && !remote.satisfied()) {
                throw new Violation(Rule.PROGRESS, "bytes are stuck: " + handler + ", of " + remote);
            }
        });
        if (plan.descriptorsMax() < DESCRIPTORS_PLENTY) {
            // Some may have to wait until others have ended.
            return;
        }
        remotes.forEach((number, remote) -> {
            if (remote.waiting() && !handlers.containsKey(number)) {
                throw new Violation(Rule.PROGRESS, "connection " + number + " was never accepted");
            }
        });
    }

    /** Whoever has paused goes on. */
    private void readOn() {
        remotes.values().forEach(SimRemote::readOn);
        Act act = new Act(kernel.nowNanos(), 0, Act.Kind.ENGINE_READS_ON, 0);
        open().forEach(handler -> onLoop(() -> handler.carryOut(act)));
    }

    private void shutDown() {
        shutDown = true;
        elsewhere.run(() -> Objects.requireNonNull(group).beginShutdown());
        kernel.at(AT_REST_NANOS, () -> kernel.calmDown());
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    // ---- for handlers

    SimKernel kernel() {
        return kernel;
    }

    Witness witness() {
        return witness;
    }

    Elsewhere elsewhere() {
        return elsewhere;
    }

    void opened(int number, SimHandler handler) {
        opened++;
        if (handlers.put(number, handler) != null) {
            throw new Violation(Rule.DEAD_CONNECTION, "connection " + number + " was opened twice");
        }
    }

    void closed(int number) {
        kernel.progressed();
    }
}
