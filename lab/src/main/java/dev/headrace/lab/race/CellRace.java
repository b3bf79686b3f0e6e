package dev.headrace.lab.race;

import dev.headrace.lab.load.Window;
import dev.headrace.lab.measure.DescriptorLimit;
import dev.headrace.lab.statistics.Comparison;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Races all servers under one load: connects, warms up, counts system calls, then measures rounds until they say enough.
 *
 * <p>Thread: the race's. Owns: the rounds.
 */
final class CellRace {
    /** The first moments of a window belong to no steady state: every connection has its turn before it counts. */
    private static final long SETTLE_NANOS = Duration.ofMillis(50).toNanos();

    private static final long SETTLE_NANOS_PER_CONNECTION = 20_000;

    /** From here on the noise between runs is about 5 %, so that narrower intervals would promise too much. */
    private static final int ROUNDS_MIN = 20;

    private static final int ROUNDS_MAX = 40;
    /** Fewer say nothing; when not even so many are undisturbed, disturbed ones are taken, and it is said. */
    private static final int ROUNDS_NEEDED = 3;

    private static final int TRIES_PER_WINDOW = 3;
    /** The interval of a ratio is narrow enough when it reaches no farther than this to either side. */
    private static final double NARROW = 0.04;

    private final Race race;
    private final LoadProcess load;
    private final RacePlan plan;
    private final Cell cell;
    private final boolean first;
    private final long tracepoint;

    private final List<Round> clean = new ArrayList<>();
    private final List<Round> disturbed = new ArrayList<>();
    private final Map<String, Double> systemCalls = new HashMap<>();
    private final Set<String> unsteady = new HashSet<>();
    /** Whether all servers' connections stay open together, which needs descriptors for all. */
    private boolean keepsOpen;

    private long endNanos;

    CellRace(Race race, LoadProcess load, RacePlan plan, Cell cell, boolean first, long tracepoint) {
        this.race = race;
        this.load = load;
        this.plan = plan;
        this.cell = cell;
        this.first = first;
        this.tracepoint = tracepoint;
    }

    /** The servers in the race that can carry this load. */
    private List<ServerProcess> racing() {
        return race.running().stream()
                .filter(server -> canCarry(server.contestant()))
                .toList();
    }

    private boolean canCarry(Contestant contestant) {
        return contestant.kernelInterface().limitBelow(cell.connections()).isEmpty();
    }

    /**
     * Measures.
     *
     * @param deadlineNanos when the rounds end if their number is left open
     * @param raceEndNanos when the whole race ends, for the estimate of the time left
     */
    void run(long deadlineNanos, long raceEndNanos) throws InterruptedException {
        endNanos = raceEndNanos;
        long connections = (long) cell.connections() * racing().size();
        keepsOpen = connections + DescriptorLimit.RESERVE <= DescriptorLimit.descriptors();
        if (keepsOpen) {
            for (ServerProcess server : racing()) {
                step("connecting to " + server.name());
                open(server);
            }
        }
        for (ServerProcess server : racing()) {
            warmUp(server);
        }
        if (tracepoint != LoadRequest.NOT_COUNTED) {
            for (ServerProcess server : racing()) {
                countSystemCalls(server);
            }
        }
        for (int i = 0; more(deadlineNanos); i++) {
            round(i);
        }
        if (keepsOpen) {
            for (ServerProcess server : racing()) {
                load.ask(LoadRequest.close(server.name()));
            }
        }
    }

    /** What has been measured so far; empty when there is not one round although some server can carry the load. */
    Optional<CellResult> result() {
        List<Round> rounds = new ArrayList<>(clean);
        int missing = Math.max(0, roundsNeeded() - clean.size());
        List<Round> used = disturbed.stream()
                .sorted(Comparator.comparingDouble(Round::foreignShare))
                .limit(missing)
                .toList();
        rounds.addAll(used);
        if (rounds.isEmpty() && plan.contestants().stream().anyMatch(this::canCarry)) {
            return Optional.empty();
        }
        int dropped = disturbed.size() - used.size();
        return Optional.of(new CellResult(cell, rounds, used.size(), dropped, systemCalls, unsteady));
    }

    /** As many as were asked for, or as many as say anything; to reach that, disturbed ones are taken. */
    private int roundsNeeded() {
        return plan.rounds() == 0 ? ROUNDS_NEEDED : plan.rounds();
    }

    /** Whether others leave the machine so little alone that waiting for better rounds has no end. */
    private boolean hopeless() {
        return disturbed.size() > Math.max(ROUNDS_NEEDED, plan.rounds() / 2)
                && clean.size() + disturbed.size() >= roundsNeeded();
    }

    private boolean more(long deadlineNanos) {
        if (race.stopped() || racing().isEmpty()) {
            return false;
        }
        if (plan.rounds() > 0) {
            return clean.size() < plan.rounds() && !hopeless();
        }
        if (System.nanoTime() - deadlineNanos > 0) {
            return clean.size() < ROUNDS_NEEDED && !hopeless();
        }
        return clean.size() < ROUNDS_MAX && !(clean.size() >= ROUNDS_MIN && narrow());
    }

    /** Whether every ratio that a reader will ask for is known well enough. */
    private boolean narrow() {
        List<Contestant> contestants =
                racing().stream().map(ServerProcess::contestant).toList();
        return Pair.of(contestants).stream().allMatch(pair -> {
            Comparison comparison = pair.compare(clean);
            return comparison == null || comparison.ratio().halfWidth() <= NARROW;
        });
    }

    private void warmUp(ServerProcess server) throws InterruptedException {
        WarmUp warmUp = new WarmUp(server.contestant().warmsUp(), first, plan.warmUpMax());
        while (!warmUp.over() && !race.stopped()) {
            step("warming up " + server.name());
            Window window = measure(server, WarmUp.WINDOW.toNanos(), LoadRequest.NOT_COUNTED);
            if (window == null) {
                return;
            }
            warmUp.add(window);
        }
        if (server.contestant().warmsUp() && !warmUp.steady()) {
            unsteady.add(server.name());
        }
    }

    private void countSystemCalls(ServerProcess server) throws InterruptedException {
        if (race.stopped()) {
            return;
        }
        step("counting system calls of " + server.name());
        Window window = measure(server, plan.window().toNanos(), tracepoint);
        if (window != null && window.systemCalls() != null) {
            systemCalls.put(server.name(), (double) window.systemCalls() / window.messages());
        }
    }

    private void round(int index) throws InterruptedException {
        List<ServerProcess> order = new ArrayList<>(racing());
        Collections.rotate(order, -index);
        if (index / order.size() % 2 == 1) {
            Collections.reverse(order); // so that nobody always follows the same rival
        }
        Map<String, Window> windows = new LinkedHashMap<>();
        for (ServerProcess server : order) {
            if (race.stopped()) {
                break; // what the round has so far counts
            }
            Window window = undisturbed(server);
            if (window != null) {
                windows.put(server.name(), window);
            }
        }
        if (!windows.isEmpty()) {
            Round round = new Round(windows);
            (round.disturbed() ? disturbed : clean).add(round);
        }
    }

    /** Repeats a window that others disturbed, a few times; then the least disturbed one has to do. */
    private @Nullable Window undisturbed(ServerProcess server) throws InterruptedException {
        Window best = null;
        for (int i = 0; i < TRIES_PER_WINDOW && !race.stopped(); i++) {
            step("round " + (clean.size() + disturbed.size() + 1) + ": " + server.name());
            Window window = measure(server, plan.window().toNanos(), LoadRequest.NOT_COUNTED);
            if (window == null || !window.disturbed()) {
                return window;
            }
            if (best == null || window.foreignShare() < best.foreignShare()) {
                best = window;
            }
        }
        return best;
    }

    /** Measures one window; null when the server has dropped out. */
    private @Nullable Window measure(ServerProcess server, long windowNanos, long traced) throws InterruptedException {
        if (!keepsOpen && !open(server)) {
            return null;
        }
        long settleNanos = settleNanos(cell);
        LoadReply reply = load.ask(LoadRequest.window(server.name(), settleNanos, windowNanos, traced));
        if (!keepsOpen) {
            load.ask(LoadRequest.close(server.name()));
        }
        Window window = reply.window();
        if (window == null && traced != LoadRequest.NOT_COUNTED) {
            race.note(String.valueOf(reply.error()));
            return null;
        }
        if (window == null) {
            drop(server, String.valueOf(reply.error()));
        } else if (!window.errors().isEmpty()) {
            drop(server, "failed under load: " + window.errorWords());
        } else if (window.messages() == 0) {
            drop(server, "did not answer one message in the window");
        } else {
            return window;
        }
        return null;
    }

    /** How long a load runs before its window begins. */
    static long settleNanos(Cell cell) {
        return SETTLE_NANOS + SETTLE_NANOS_PER_CONNECTION * cell.connections();
    }

    private boolean open(ServerProcess server) throws InterruptedException {
        String error = load.ask(LoadRequest.open(server, cell)).error();
        if (error != null) {
            drop(server, error);
        }
        return error == null;
    }

    private void drop(ServerProcess server, String error) throws InterruptedException {
        load.ask(LoadRequest.close(server.name()));
        race.drop(server, server.failure(error));
    }

    private void step(String what) {
        long remaining = Math.max(0, endNanos - System.nanoTime());
        race.progress().step(cell.describe() + ", " + what, remaining);
    }
}
