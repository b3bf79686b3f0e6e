package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.Errno;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The simulated machine: descriptors, ports, virtual time and what is planned in it.
 *
 * <p>Time passes when the loop waits, and a little with each call that it makes. While it waits the rest of the world goes on.
 *
 * <p>Thread: the simulation's. Owns: everything simulated.
 */
public final class SimKernel {
    private static final int TRACE_LINES = 4000;
    private static final int PORT_MIN = 40_000;
    private static final int CALL_NANOS = 300;
    /** Calls of the loop that ask for events, in which none may be in vain more often than so. */
    private static final int WINDOW_CALLS = 1000;

    private static final int IN_VAIN_MAX = 600;
    private static final long JUMP_NANOS_MAX = 3_000_000_000L;
    private static final long FOR_EVER_NANOS = 3_600_000_000_000L;

    private record Line(long nanos, String what) {
        @Override
        public String toString() {
            return "%12.3f ms  %s".formatted(nanos / 1e6, what);
        }
    }

    private final Agenda agenda = new Agenda();
    private final Chance chance;
    private final Marks marks;
    private final List<@Nullable SimFile> files = new ArrayList<>();
    private final Map<Integer, SimListener> listeners = new HashMap<>();
    private final Map<Integer, Function<Remote, Remote.Script>> remoteListeners = new HashMap<>();
    private final ArrayDeque<Line> trace = new ArrayDeque<>();
    private int nextPort = PORT_MIN;
    private int descriptorsMax = Integer.MAX_VALUE;
    private int bufferBytes = 64 << 10;
    private boolean calm;
    private boolean careful = true;

    private long progress;
    private long progressSeen;
    private int windowCalls;
    private int inVain;

    public SimKernel(Chance chance, Marks marks) {
        this.chance = chance;
        this.marks = marks;
    }

    public Chance chance() {
        return chance;
    }

    public Marks marks() {
        return marks;
    }

    /** Whether a fault happens here; none does once the machine is calm. */
    boolean strikes(Mark fault, int oneIn) {
        boolean strikes = !calm && chance.strikes(fault, oneIn);
        if (strikes) {
            trace(Marks.inWords(fault));
        }
        return strikes;
    }

    /** From here on nothing goes wrong: what is open must come to its end. */
    public void calmDown() {
        calm = true;
        trace("the machine calms down");
    }

    /** How much either side of a connection may send before the other reads. */
    public void bufferBytes(int value) {
        bufferBytes = value;
    }

    /** How many descriptors there may be. */
    public void descriptorsMax(int value) {
        descriptorsMax = value;
    }

    /** Lets a descriptor be closed while something is in flight on it, to see what the kernel makes of that. */
    public void careless() {
        careful = false;
    }

    /** Whether what the kernel permits and no good program does breaks a rule. */
    boolean careful() {
        return careful;
    }

    // ---- time

    public long nowNanos() {
        return agenda.nowNanos();
    }

    public void at(long delayNanos, Runnable action) {
        agenda.at(delayNanos, action);
    }

    /** A call takes its time; nothing happens meanwhile. */
    void spend() {
        agenda.advanceTo(Math.min(nowNanos() + CALL_NANOS, agenda.nextNanos() - 1));
    }

    /** The loop looks for what is there; what is due by now happens. */
    void pass(long nanos) {
        agenda.advanceTo(nowNanos() + nanos);
    }

    /** The loop rests; what is due meanwhile happens. */
    void rest(long nanos) {
        pass(nanos);
    }

    /**
     * The loop sleeps until the condition holds or its time is up; negative without end.
     */
    void sleep(long waitNanos, BooleanSupplier awake) {
        long until = waitNanos < 0 ? nowNanos() + FOR_EVER_NANOS : nowNanos() + waitNanos;
        while (!awake.getAsBoolean()) {
            if (agenda.nextNanos() > until) {
                if (waitNanos < 0) {
                    throw new Violation(Violation.Rule.PROGRESS, "the loop sleeps for ever, and nothing is to come");
                }
                agenda.advanceTo(until);
                break;
            }
            agenda.carryOutNext();
        }
        if (strikes(Mark.CLOCK_JUMP, 300)) {
            pass(chance.below((int) (JUMP_NANOS_MAX / 1000)) * 1000L);
        }
    }

    /** How long something is on its way. */
    long latencyNanos() {
        return chance.below(50) == 0 ? chance.below(20_000_000) : 1_000 + chance.below(200_000);
    }

    // ---- progress

    /** Something has moved. */
    void progressed() {
        progress++;
    }

    /** The loop asked for events: it may not do so in vain all the time. */
    void asked(boolean waited) {
        inVain += progress == progressSeen && !waited ? 1 : 0;
        progressSeen = progress;
        if (inVain > IN_VAIN_MAX) {
            throw new Violation(
                    Violation.Rule.SPIN, inVain + " of " + windowCalls + " turns were in vain, without a wait");
        }
        if (++windowCalls >= WINDOW_CALLS) {
            windowCalls = 0;
            inVain = 0;
        }
    }

    // ---- descriptors

    int install(SimFile file) {
        int fd = files.indexOf(null);
        if (fd < 0) {
            fd = files.size();
            files.add(file);
        } else {
            files.set(fd, file);
        }
        return fd;
    }

    /** Listening makes something else of a descriptor. */
    void replace(int fd, SimFile file) {
        files.set(fd, file);
    }

    boolean exhausted() {
        return openDescriptors() >= descriptorsMax;
    }

    @Nullable
    SimFile file(int fd) {
        return fd >= 0 && fd < files.size() ? files.get(fd) : null;
    }

    int close(int fd) {
        SimFile file = file(fd);
        if (file == null) {
            return -Errno.EBADF;
        }
        files.set(fd, null);
        progressed();
        if (careful && (file.holders() > 1 || file.watched())) {
            throw new Violation(
                    Violation.Rule.CLOSE_IN_FLIGHT,
                    "descriptor " + fd + " was closed while requests or a poller have it");
        }
        file.letGo();
        return 0;
    }

    public int openDescriptors() {
        return (int) files.stream().filter(file -> file != null).count();
    }

    // ---- the network

    Endpoint newEndpoint() {
        return new Endpoint(this, bufferBytes);
    }

    int listen(int port, SimListener listener) {
        return listeners.putIfAbsent(port, listener) == null ? 0 : -Errno.EADDRINUSE;
    }

    void stopListening(SimListener listener) {
        listeners.remove(listener.port(), listener);
    }

    int freePort() {
        return nextPort++;
    }

    /**
     * A remote end connects to a port on which the engine listens.
     *
     * @param number what the engine sees as the port at the other end
     */
    public Remote connect(int port, Remote.Script script, int number) {
        Endpoint here = newEndpoint();
        here.number = number;
        Endpoint there = newEndpoint();
        Remote remote = new Remote(this, there, script);
        at(latencyNanos(), () -> {
            SimListener listener = listeners.get(port);
            Endpoint.join(here, there);
            if (listener == null || !listener.offer(here)) {
                there.connectFailed(Errno.ECONNREFUSED);
                return;
            }
            script.connected(remote);
        });
        return remote;
    }

    /** Remote ends wait on a port for connections of the engine. */
    public void listenRemotely(int port, Function<Remote, Remote.Script> scripts) {
        remoteListeners.put(port, scripts);
    }

    /** The engine connects. */
    void connectOut(Endpoint here, InetSocketAddress address) {
        here.connecting();
        if (strikes(Mark.CONNECT_UNANSWERED, 40)) {
            return;
        }
        at(latencyNanos(), () -> {
            Function<Remote, Remote.Script> scripts = remoteListeners.get(address.getPort());
            progressed();
            if (scripts == null) {
                marks.met(Mark.CONNECT_REFUSED);
                here.connectFailed(Errno.ECONNREFUSED);
                return;
            }
            Endpoint there = newEndpoint();
            Endpoint.join(here, there);
            here.wake();
            Remote remote = new Remote(this, there, scripts);
            remote.script().connected(remote);
        });
    }

    // ---- the trace

    public void trace(String line) {
        if (trace.size() == TRACE_LINES) {
            trace.remove();
        }
        trace.add(new Line(nowNanos(), line));
    }

    /** The last lines of what happened. */
    public List<String> trace(int lines) {
        return trace.stream()
                .skip(Math.max(0, trace.size() - lines))
                .map(Line::toString)
                .toList();
    }
}
