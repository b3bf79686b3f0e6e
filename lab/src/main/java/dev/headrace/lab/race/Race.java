package dev.headrace.lab.race;

import dev.headrace.lab.Refusal;
import dev.headrace.lab.measure.DescriptorLimit;
import dev.headrace.lab.measure.Host;
import dev.headrace.lab.measure.Tracepoint;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a race: starts every server and the load process, pinned, measures load after load, and ends them all.
 *
 * <p>Thread: {@link #run} once, on one platform thread; {@link #stop} from any. Owns: the processes while it runs.
 */
public final class Race {
    private final RacePlan plan;
    private final Installation installation;
    private final Host host;
    private final RaceProgress progress;

    private final List<ServerProcess> running = new ArrayList<>();
    private final Map<String, String> configurations = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private volatile boolean stopped;

    public Race(RacePlan plan, Installation installation, Host host, RaceProgress progress) {
        this.plan = plan;
        this.installation = installation;
        this.host = host;
        this.progress = progress;
    }

    /** Ends the race after the window that is running; {@link #run} returns what there is. */
    public void stop() {
        stopped = true;
    }

    /**
     * Runs it.
     *
     * @throws Refusal when it cannot even begin
     */
    public RaceResult run() throws InterruptedException {
        plan.cells().forEach(cell -> DescriptorLimit.require(cell.connections()));
        Instant started = Instant.now();
        Placement placement = Placement.choose();
        if (!placement.apart()) {
            notes.add(placement.describe());
        }
        List<CellResult> cells = new ArrayList<>();
        try (LoadProcess load = startLoad(placement)) {
            startServers(placement);
            race(load, cells);
        } finally {
            running.forEach(ServerProcess::farewell);
            running.forEach(ServerProcess::close);
        }
        boolean endedEarly = stopped || cells.size() < plan.cells().size();
        return new RaceResult(
                host, placement, started, plan.contestants(), configurations, cells, failures, notes, endedEarly);
    }

    private LoadProcess startLoad(Placement placement) {
        try {
            return LoadProcess.start(installation, placement);
        } catch (IOException e) {
            throw new Refusal("the load process cannot be started: " + e.getMessage(), e);
        }
    }

    /** All at once, as starting is the slowest part. */
    private void startServers(Placement placement) throws InterruptedException {
        progress.step(
                "starting " + plan.contestants().size() + " servers",
                plan.budget().toNanos());
        List<ServerProcess> starting = new ArrayList<>();
        for (Contestant contestant : plan.contestants()) {
            try {
                starting.add(ServerProcess.start(contestant, placement.server()));
            } catch (ServerFailure failure) {
                failed(failure);
            }
        }
        running.addAll(starting);
        for (ServerProcess server : starting) {
            try {
                server.awaitListening();
                configurations.put(server.name(), server.configuration());
                progress.serverStarted(server.name(), server.configuration());
            } catch (ServerFailure failure) {
                drop(server, failure);
            }
        }
    }

    private void race(LoadProcess load, List<CellResult> cells) throws InterruptedException {
        long tracepoint = tracepoint();
        long deadlineNanos = System.nanoTime() + plan.budget().toNanos();
        try {
            for (int i = 0; i < plan.cells().size() && !stopped && !running.isEmpty(); i++) {
                long nowNanos = System.nanoTime();
                long share =
                        Math.max(0, deadlineNanos - nowNanos) / (plan.cells().size() - i);
                CellRace cellRace = new CellRace(this, load, plan, plan.cells().get(i), i == 0, tracepoint);
                try {
                    cellRace.run(nowNanos + share, deadlineNanos);
                } finally {
                    cellRace.result().ifPresent(cells::add);
                }
            }
        } catch (Refusal broken) {
            failures.add(String.valueOf(broken.getMessage()));
            stopped = true;
        }
    }

    private long tracepoint() {
        try {
            return Tracepoint.systemCallEntry();
        } catch (Refusal refusal) {
            notes.add(String.valueOf(refusal.getMessage()));
            return LoadRequest.NOT_COUNTED;
        }
    }

    boolean stopped() {
        return stopped;
    }

    RaceProgress progress() {
        return progress;
    }

    /** The servers still in the race, in the order of the plan. */
    List<ServerProcess> running() {
        return List.copyOf(running);
    }

    /** Adds a line that a reader of the figures must know; the same line once. */
    void note(String line) {
        if (!notes.contains(line)) {
            notes.add(line);
        }
    }

    /** Takes a server out of the race. */
    void drop(ServerProcess server, ServerFailure failure) {
        running.remove(server);
        server.close();
        failed(failure);
    }

    private void failed(ServerFailure failure) {
        failures.add(failure.describe());
        progress.serverFailed(failure.describe());
    }
}
