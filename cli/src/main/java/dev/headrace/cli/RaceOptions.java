package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.measure.DescriptorLimit;
import dev.headrace.lab.race.Cell;
import dev.headrace.lab.race.Contestant;
import dev.headrace.lab.race.Contestants;
import dev.headrace.lab.race.Installation;
import dev.headrace.lab.race.KernelInterface;
import dev.headrace.lab.race.RacePlan;
import dev.headrace.lab.race.UnknownName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * What the user wants raced, and the plan that follows from it. What was asked for by name must be there; what is only
 * part of a default is left out, with a line, when it is not.
 */
final class RaceOptions {
    private static final List<Integer> CONNECTIONS = List.of(100, 1000);
    private static final List<Integer> CONNECTIONS_FULL = List.of(1, 100, 1000, 10_000);
    private static final List<String> PEERS = List.of("netty-epoll", "netty-io_uring");
    private static final List<Backend> BACKENDS = List.of(Backend.IO_URING, Backend.EPOLL);
    private static final String NONE = "none";

    @Option(
            names = "--backends",
            paramLabel = "NAME",
            split = ",",
            description = "Our backends to race: io_uring, epoll-lt, epoll-et, poll, select, hybrid (default:"
                    + " io_uring,epoll-lt).")
    private @Nullable List<String> backends;

    @Option(
            names = "--peers",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Rivals to race: jdk-nio, jdk-nio2, netty-nio, netty-epoll, netty-io_uring, c-epoll, c-epoll-et,"
                            + " c-io_uring, or none (default: netty-epoll,netty-io_uring).")
    private @Nullable List<String> peers;

    @Option(
            names = "--mask",
            paramLabel = "RUNG",
            split = ",",
            description =
                    "Race each backend that has this rung without it as well, to see what it is worth; a server for"
                            + " each rung of a list.")
    private List<String> masked = new ArrayList<>();

    @Option(
            names = "-c",
            paramLabel = "N",
            split = ",",
            converter = Units.Count.class,
            description = "Connections, a list for several (default: 100,1000).")
    private @Nullable List<Integer> connections;

    @Mixin
    private final MessageOptions messages = new MessageOptions();

    @Option(
            names = "--depth",
            paramLabel = "N",
            split = ",",
            converter = Units.Count.class,
            description = "Messages in flight on each connection, a list for several (default: 1).")
    private List<Integer> depths = new ArrayList<>(List.of(1));

    @Option(
            names = "-d",
            paramLabel = "TIME",
            converter = Units.Time.class,
            description =
                    "Time to measure each server under each load, in windows of half a second (default: until the intervals are narrow, about 4 minutes in all).")
    private @Nullable Duration duration;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            converter = Units.Count.class,
            description =
                    "Exactly so many windows of each server under each load; with -d they share that time, 250 ms to 1 s each.")
    private @Nullable Integer rounds;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = Units.Time.class,
            description = "At most so long for each server before the first load is measured (default: 8s).")
    private Duration warmUp = RacePlan.WARM_UP_DEFAULT;

    @Option(
            names = "--full",
            description = "The whole ladder: 1, 100, 1000 and 10 000 connections, all backends, all peers.")
    private boolean full;

    /** Checks what needs no look at the machine. */
    void check(CommandLine command) {
        if (duration != null && duration.compareTo(RacePlan.WINDOW_MIN) < 0) {
            throw new ParameterException(command, "-d is too short: a window takes 250 ms at least");
        }
        if (peers != null && peers.size() > 1 && peers.contains(NONE)) {
            throw new ParameterException(command, "--peers takes names or none, not both");
        }
    }

    RacePlan plan(Installation installation, Terminal terminal) {
        Set<Integer> counts = counts(terminal);
        List<Contestant> contestants = contestants(new Contestants(installation), terminal);
        List<Cell> cells = new ArrayList<>();
        for (int depth : new LinkedHashSet<>(depths)) {
            for (int count : counts) {
                cells.add(new Cell(count, messages.bytes(), depth, messages.activeOf(count)));
            }
        }
        return timed(RacePlan.of(contestants, cells).withWarmUpMax(warmUp));
    }

    private RacePlan timed(RacePlan plan) {
        if (duration == null) {
            return rounds == null ? plan : plan.withRounds(rounds);
        }
        if (rounds == null) {
            long windows = Math.max(1, duration.dividedBy(RacePlan.WINDOW_DEFAULT));
            return plan.withRounds(Math.toIntExact(Math.min(windows, Integer.MAX_VALUE)));
        }
        Duration each = duration.dividedBy(rounds);
        Duration window = each.compareTo(RacePlan.WINDOW_MIN) < 0
                ? RacePlan.WINDOW_MIN
                : each.compareTo(RacePlan.WINDOW_MAX) > 0 ? RacePlan.WINDOW_MAX : each;
        return plan.withRounds(rounds).withWindow(window);
    }

    private Set<Integer> counts(Terminal terminal) {
        if (connections != null) {
            connections.forEach(DescriptorLimit::require);
            return new LinkedHashSet<>(connections);
        }
        Set<Integer> counts = new LinkedHashSet<>();
        for (int count : full ? CONNECTIONS_FULL : CONNECTIONS) {
            try {
                DescriptorLimit.require(count);
                counts.add(count);
            } catch (Refusal refusal) {
                terminal.warning("headrace: left out: " + refusal.getMessage());
            }
        }
        return counts;
    }

    private List<Contestant> contestants(Contestants registry, Terminal terminal) {
        List<Contestant> contestants = new ArrayList<>();
        List<Backend> ours = backends == null ? usualBackends() : asked(backends);
        Map<String, List<Backend>> maskedOn = maskedOn(ours);
        for (Backend backend : ours) {
            contestants.add(registry.ours(backend.id()));
            maskedOn.forEach((rung, on) -> {
                if (on.contains(backend)) {
                    contestants.add(registry.oursWithout(backend, rung));
                }
            });
        }
        addPeers(registry, terminal, contestants);
        return contestants;
    }

    /** By backend, so that a name and its alias are one. */
    private static List<Backend> asked(List<String> names) {
        return names.stream().map(Contestants::backend).distinct().toList();
    }

    /** What of the usual backends works here; the first line has said why the others do not. */
    private List<Backend> usualBackends() {
        List<Backend> usual = Stream.of(Backend.values())
                .filter(backend -> full || BACKENDS.contains(backend))
                .filter(backend -> backend.unavailableBecause() == null)
                .toList();
        return usual.isEmpty() ? List.of(Backend.auto().backend()) : usual;
    }

    /** Which of the backends each rung is masked on. */
    private Map<String, List<Backend>> maskedOn(List<Backend> ours) {
        Map<String, List<Backend>> maskedOn = new LinkedHashMap<>();
        for (String rung : masked) {
            List<Backend> on = ours.stream()
                    .filter(backend -> backend.maskableRungs().contains(rung))
                    .toList();
            if (on.isEmpty()) {
                List<String> known = ours.stream()
                        .flatMap(backend -> backend.maskableRungs().stream())
                        .distinct()
                        .toList();
                throw new UnknownName("rung", rung, known);
            }
            maskedOn.put(rung, on);
        }
        return maskedOn;
    }

    private void addPeers(Contestants registry, Terminal terminal, List<Contestant> contestants) {
        if (peers != null) {
            new LinkedHashSet<>(peers)
                    .stream().filter(name -> !name.equals(NONE)).forEach(name -> contestants.add(registry.peer(name)));
            return;
        }
        for (String name : full ? Contestants.PEERS : PEERS) {
            try {
                Contestant peer = registry.peer(name);
                if (canRun(peer)) {
                    contestants.add(peer);
                } else {
                    terminal.warning("headrace: left out: " + name + ", which needs io_uring");
                }
            } catch (Refusal refusal) {
                terminal.warning("headrace: left out: " + refusal.getMessage());
            }
        }
    }

    private static boolean canRun(Contestant peer) {
        return peer.kernelInterface() != KernelInterface.IO_URING || Backend.IO_URING.unavailableBecause() == null;
    }
}
