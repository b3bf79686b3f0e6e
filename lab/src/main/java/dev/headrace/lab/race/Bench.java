package dev.headrace.lab.race;

import dev.headrace.engine.Backend;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.load.Window;
import dev.headrace.lab.measure.DescriptorLimit;
import dev.headrace.lab.measure.OpenDescriptors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Measures one of our backends alone: the server in a process of its own, the load in another.
 *
 * <p>Thread: {@link #run} once, on one platform thread; {@link #stop} from any. Owns: the processes while it runs.
 */
public final class Bench {
    /** What has been measured until somebody interrupts is worth printing, so it comes in pieces. */
    private static final long WINDOW_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final Backend backend;
    private final Cell cell;
    private final Duration warmUp;
    private final Duration duration;
    private final Installation installation;
    private volatile boolean stopped;

    /**
     * Plans it.
     *
     * @param warmUp how long the server is loaded before anything counts
     * @param duration how long is measured
     */
    public Bench(Backend backend, Cell cell, Duration warmUp, Duration duration, Installation installation) {
        this.backend = backend;
        this.cell = cell;
        this.warmUp = warmUp;
        this.duration = duration;
        this.installation = installation;
    }

    /** Ends it after the window that is running; {@link #run} returns what there is. */
    public void stop() {
        stopped = true;
    }

    /**
     * Runs it.
     *
     * @throws Refusal when backend, server or connections cannot be had
     */
    public BenchResult run() throws InterruptedException {
        DescriptorLimit.require(cell.connections());
        Contestant contestant = new Contestants(installation).ours(backend.id());
        Placement placement = Placement.choose();
        try (LoadProcess load = LoadProcess.start(installation, placement);
                ServerProcess server = ServerProcess.start(contestant, placement.server())) {
            server.awaitListening();
            return measure(load, server);
        } catch (ServerFailure failure) {
            throw new Refusal(failure.describe(), failure);
        } catch (IOException e) {
            throw new Refusal("the load process cannot be started: " + e.getMessage(), e);
        }
    }

    private BenchResult measure(LoadProcess load, ServerProcess server) throws InterruptedException, ServerFailure {
        String error = load.ask(LoadRequest.open(server, cell)).error();
        if (error != null) {
            throw server.failure(error);
        }
        windows(load, server, warmUp);
        List<Window> windows = windows(load, server, duration);
        OptionalInt highest = OpenDescriptors.highestOf(server.pid());
        load.ask(LoadRequest.close(server.name()));
        long elapsedNanos = windows.stream().mapToLong(Window::elapsedNanos).sum();
        return new BenchResult(
                server.name(),
                server.configuration(),
                cell,
                highest,
                elapsedNanos,
                windows.stream().mapToLong(Window::messages).sum(),
                elapsedNanos < duration.toNanos());
    }

    /** Windows that together take so long, fewer when somebody interrupts, but one. */
    private List<Window> windows(LoadProcess load, ServerProcess server, Duration length)
            throws InterruptedException, ServerFailure {
        long leftNanos = length.toNanos();
        List<Window> windows = new ArrayList<>();
        while (leftNanos > 0 && (windows.isEmpty() || !stopped)) {
            long windowNanos = Math.min(leftNanos, WINDOW_NANOS_MAX);
            windows.add(window(load, server, windowNanos));
            leftNanos -= windowNanos;
        }
        return windows;
    }

    private Window window(LoadProcess load, ServerProcess server, long windowNanos)
            throws InterruptedException, ServerFailure {
        LoadReply reply = load.ask(
                LoadRequest.window(server.name(), CellRace.settleNanos(cell), windowNanos, LoadRequest.NOT_COUNTED));
        Window window = reply.window();
        if (window == null) {
            throw server.failure(String.valueOf(reply.error()));
        }
        if (!window.errors().isEmpty()) {
            throw server.failure("failed under load: " + window.errorWords());
        }
        return window;
    }
}
