package dev.headrace.lab.race;

import dev.headrace.lab.load.Window;
import dev.headrace.lab.statistics.Comparison;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two servers of which somebody will ask how they compare.
 *
 * <p>Thread: any; immutable.
 *
 * @param a the one that is judged
 * @param b the one it is judged by
 */
public record Pair(Contestant a, Contestant b) {
    /**
     * The pairs of interest, the user's question first: our io_uring against our epoll, then our other backends against
     * it, then each server without a rung against the same with it, then ours against every rival, those on the same
     * kernel interface first, then the yardsticks against the rivals they keep honest.
     */
    public static List<Pair> of(List<Contestant> contestants) {
        List<Pair> pairs = new ArrayList<>();
        addOurs(contestants, pairs);
        addMasked(contestants, pairs);
        addRivals(contestants, true, pairs);
        addRivals(contestants, false, pairs);
        for (Honesty rule : Honesty.RULES) {
            rule.pair(contestants).ifPresent(pairs::add);
        }
        return pairs;
    }

    /** All ours against level-triggered epoll, what services run on today; without it, against the last of ours. */
    private static void addOurs(List<Contestant> contestants, List<Pair> pairs) {
        List<Contestant> ours =
                contestants.stream().filter(Contestant::oursUnmasked).toList();
        if (ours.isEmpty()) {
            return;
        }
        Contestant base = ours.stream()
                .filter(contestant -> contestant.kernelInterface() == KernelInterface.EPOLL)
                .findFirst()
                .orElse(ours.getLast());
        ours.stream()
                .filter(contestant -> !contestant.equals(base))
                .sorted(Comparator.comparing(contestant -> contestant.kernelInterface() != KernelInterface.IO_URING))
                .forEach(contestant -> pairs.add(new Pair(contestant, base)));
    }

    private static void addMasked(List<Contestant> contestants, List<Pair> pairs) {
        for (Contestant a : contestants) {
            for (Contestant b : contestants) {
                if (a.maskedRung().isPresent() && b.oursUnmasked() && a.kernelInterface() == b.kernelInterface()) {
                    pairs.add(new Pair(a, b));
                }
            }
        }
    }

    private static void addRivals(List<Contestant> contestants, boolean sameInterface, List<Pair> pairs) {
        for (Contestant a : contestants) {
            for (Contestant b : contestants) {
                if (a.oursUnmasked() && !b.ours() && sameInterface == (a.kernelInterface() == b.kernelInterface())) {
                    pairs.add(new Pair(a, b));
                }
            }
        }
    }

    /** Whether both use the same interface to the kernel. */
    public boolean sameInterface() {
        return a.kernelInterface() == b.kernelInterface();
    }

    /** Compares the CPU per message over the rounds that have both; null when there are none. */
    @Nullable
    Comparison compare(List<Round> rounds) {
        List<Round> both = rounds.stream()
                .filter(round ->
                        round.windows().containsKey(a.name()) && round.windows().containsKey(b.name()))
                .toList();
        return both.isEmpty() ? null : Comparison.of(costs(both, a.name()), costs(both, b.name()));
    }

    /** The CPU per message of a server, round by round, in microseconds. */
    static double[] costs(List<Round> rounds, String server) {
        return rounds.stream()
                .map(round -> round.windows().get(server))
                .filter(window -> window != null)
                .mapToDouble(Window::serverCpuMicrosPerMessage)
                .toArray();
    }
}
