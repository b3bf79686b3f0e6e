package dev.headrace.lab.load;

import dev.headrace.engine.Loop;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.measure.CpuTicks;
import dev.headrace.lab.measure.MachineLoad;
import dev.headrace.lab.measure.ProcessCpu;
import dev.headrace.lab.measure.SystemCallCount;
import dev.headrace.lab.workload.echo.EchoLoad;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A load on one server together with the instruments that are read at the edges of a window. Count, clocks and CPU
 * times of an edge are taken one after the other on the loop's thread, so that they belong to the same moment.
 *
 * <p>Thread: {@link #measure} and {@link #endNow} from any, one measurement at a time; the rest on the loop's. Owns: the
 * load.
 */
public final class MeasuredLoad {
    /** How often it is checked that there is still somebody to load. */
    private static final long WATCH_NANOS = Duration.ofMillis(100).toNanos();

    private record Edge(
            long nanos, long messages, long serverCpu, long loadCpu, CpuTicks ticks, long busy, long systemCalls) {}

    private final Loop loop;
    private final EchoLoad load;
    private final @Nullable Server server;
    private final ProcessCpu loadCpu = ProcessCpu.own();
    private final MachineLoad machine;
    private @Nullable Measurement running;

    private record Server(long pid, ProcessCpu cpu) {}

    /**
     * Puts instruments to a load.
     *
     * @param serverPid the server's process, when it is one of this machine
     * @param machine the cores that server and load use
     */
    public MeasuredLoad(Loop loop, EchoLoad load, OptionalLong serverPid, MachineLoad machine) {
        this.loop = loop;
        this.load = load;
        this.server =
                serverPid.isPresent() ? new Server(serverPid.getAsLong(), ProcessCpu.of(serverPid.getAsLong())) : null;
        this.machine = machine;
    }

    public EchoLoad load() {
        return load;
    }

    /**
     * Runs the load for a window and measures it. The answer comes when all messages in flight are back; earlier than
     * asked when no connection is left.
     *
     * @param settle how long the load runs before the window begins
     * @param window the length of the window
     * @param tracepoint number of the tracepoint by which to count the server's system calls; empty for not counting
     */
    public CompletableFuture<Window> measure(Duration settle, Duration window, OptionalLong tracepoint) {
        Measurement measurement = new Measurement(window, tracepoint);
        loop.execute(() -> {
            running = measurement;
            load.start();
            loop.schedule(settle.toNanos(), measurement::begin);
            loop.schedule(WATCH_NANOS, measurement::watch);
        });
        return measurement.answer;
    }

    /** Ends the window that is running, if one is; its answer holds what there is. */
    public void endNow() {
        loop.execute(() -> {
            if (running != null) {
                running.end();
            }
        });
    }

    private CpuTicks ticks() {
        return server == null ? CpuTicks.NONE : CpuTicks.of(server.pid());
    }

    /** One window, from its settling to its answer. */
    private final class Measurement {
        private final Duration window;
        private final OptionalLong tracepoint;
        private final CompletableFuture<Window> answer = new CompletableFuture<>();
        private @Nullable SystemCallCount counting;
        private @Nullable Edge begin;
        private boolean ended;

        Measurement(Duration window, OptionalLong tracepoint) {
            this.window = window;
            this.tracepoint = tracepoint;
        }

        void begin() {
            if (ended || begin != null) {
                return;
            }
            if (tracepoint.isPresent() && server != null) {
                try {
                    counting = SystemCallCount.open(server.pid(), tracepoint.getAsLong());
                } catch (Refusal refused) {
                    ended = true;
                    load.stop(() -> answer.completeExceptionally(refused));
                    return;
                }
            }
            load.resetLatency();
            // What takes time is read outside of the window: first at its beginning, last at its end.
            CpuTicks ticks = ticks();
            long busy = machine.busyNanos();
            begin = exact(ticks, busy);
            loop.schedule(window.toNanos(), this::end);
        }

        void watch() {
            if (ended) {
                return;
            }
            if (load.openConnections() == 0) {
                end();
            } else {
                loop.schedule(WATCH_NANOS, this::watch);
            }
        }

        void end() {
            if (ended) {
                return;
            }
            begin(); // when it ends before it has settled
            Edge first = begin;
            if (ended || first == null) {
                return;
            }
            ended = true;
            Edge now = exact(CpuTicks.NONE, 0);
            Edge last = new Edge(
                    now.nanos(),
                    now.messages(),
                    now.serverCpu(),
                    now.loadCpu(),
                    ticks(),
                    machine.busyNanos(),
                    now.systemCalls());
            String latency = Latencies.encode(load.latency());
            if (counting != null) {
                counting.close();
            }
            load.stop(() -> answer.complete(result(first, last, latency)));
        }

        private Edge exact(CpuTicks ticks, long busy) {
            return new Edge(
                    System.nanoTime(),
                    load.messages(),
                    server == null ? 0 : server.cpu().nanos(),
                    loadCpu.nanos(),
                    ticks,
                    busy,
                    counting == null ? 0 : counting.total());
        }

        private Window result(Edge first, Edge last, String latency) {
            CpuTicks ticks = last.ticks().minus(first.ticks());
            long serverNanos = last.serverCpu() - first.serverCpu();
            long loadNanos = last.loadCpu() - first.loadCpu();
            return new Window(
                    last.messages() - first.messages(),
                    last.nanos() - first.nanos(),
                    serverNanos,
                    ticks.user(),
                    ticks.system(),
                    loadNanos,
                    Math.max(0, last.busy() - first.busy() - serverNanos - loadNanos),
                    latency,
                    counting == null ? null : last.systemCalls() - first.systemCalls(),
                    load.openConnections(),
                    load.errors().byName(),
                    load.errors().toString());
        }
    }
}
