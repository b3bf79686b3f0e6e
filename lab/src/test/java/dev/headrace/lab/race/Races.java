package dev.headrace.lab.race;

import dev.headrace.lab.load.Latencies;
import dev.headrace.lab.load.Window;
import dev.headrace.lab.measure.Host;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Makes results of races that never took place. */
final class Races {
    static final Contestant URING =
            new Contestant("headrace-io_uring", KernelInterface.IO_URING, true, true, List.of("serve"));
    static final Contestant EPOLL =
            new Contestant("headrace-epoll-lt", KernelInterface.EPOLL, true, true, List.of("serve"));
    static final Contestant NETTY_URING =
            new Contestant("netty-io_uring", KernelInterface.IO_URING, false, true, List.of("netty"));
    static final Contestant NETTY_EPOLL =
            new Contestant("netty-epoll", KernelInterface.EPOLL, false, true, List.of("netty"));
    static final Contestant C_URING =
            new Contestant("c-io_uring", KernelInterface.IO_URING, false, false, List.of("yardstick"));
    static final Contestant C_EPOLL =
            new Contestant("c-epoll", KernelInterface.EPOLL, false, false, List.of("yardstick"));

    static final Contestant EDGE =
            new Contestant("headrace-epoll-et", KernelInterface.EPOLL_EDGE, true, true, List.of("serve"));
    static final Contestant SELECT =
            new Contestant("headrace-select", KernelInterface.SELECT, true, true, List.of("serve"));
    static final Contestant C_EDGE =
            new Contestant("c-epoll-et", KernelInterface.EPOLL_EDGE, false, false, List.of("yardstick"));
    static final Contestant URING_WITHOUT_RUNG = new Contestant(
            "headrace-io_uring-no-multishot-receive",
            KernelInterface.IO_URING,
            true,
            true,
            Optional.of("multishot-receive"),
            List.of("serve"));

    static final Host HOST =
            new Host("6.18.0", "amd64", 2, "a CPU", 1L << 34, "25", List.of("io_uring", "epoll-lt"), Map.of());

    private Races() {}

    /** A window of one second in which the server spent so many microseconds on each of 1000 messages. */
    static Window window(double cpuMicros) {
        return window(cpuMicros, 0);
    }

    static Window window(double cpuMicros, double foreignShare) {
        long second = 1_000_000_000L;
        Histogram latency = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            latency.recordValue(i * 1000L);
        }
        return new Window(
                1000,
                second,
                (long) (cpuMicros * 1_000_000),
                30,
                70,
                second / 2,
                (long) (foreignShare * second),
                Latencies.encode(latency),
                null,
                100,
                Map.of(),
                "");
    }

    /** Rounds in which each server costs what the array says, with noise that leaves medians and median ratios alone. */
    static CellResult cell(Cell cell, int rounds, List<Contestant> contestants, double... costs) {
        List<Round> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Map<String, Window> windows = new LinkedHashMap<>();
            for (int i = 0; i < costs.length; i++) {
                double wobble = 1 + 0.01 * (round * (i % 2 + 1) % 3 - 1);
                windows.put(contestants.get(i).name(), window(costs[i] * wobble));
            }
            all.add(new Round(windows));
        }
        return new CellResult(cell, all, 0, 0, Map.of("headrace-io_uring", 0.05), Set.of());
    }

    static RaceResult result(List<Contestant> contestants, CellResult... cells) {
        return new RaceResult(
                HOST,
                new Placement(List.of(1), List.of(0)),
                Instant.EPOCH,
                contestants,
                Map.of("headrace-io_uring", "backend io_uring"),
                List.of(cells),
                List.of(),
                List.of(),
                false);
    }
}
