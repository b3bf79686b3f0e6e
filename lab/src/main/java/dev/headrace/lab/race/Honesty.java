package dev.headrace.lab.race;

import java.util.List;
import java.util.Optional;

/**
 * A bar that the yardstick must clear: C without a runtime has to be cheaper than Netty on the same kernel interface, or
 * something is wrong with the run.
 *
 * <p>Thread: any; immutable.
 *
 * @param yardstick name of the C server
 * @param rival name of the other
 * @param ratioMax the largest credible ratio of their CPU per message
 */
record Honesty(String yardstick, String rival, double ratioMax) {
    static final List<Honesty> RULES =
            List.of(new Honesty("c-io_uring", "netty-io_uring", 0.92), new Honesty("c-epoll", "netty-epoll", 0.96));

    /** The two, when both were asked for. */
    Optional<Pair> pair(List<Contestant> contestants) {
        return find(contestants, yardstick)
                .flatMap(a -> find(contestants, rival).map(b -> new Pair(a, b)));
    }

    private static Optional<Contestant> find(List<Contestant> contestants, String name) {
        return contestants.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst();
    }
}
