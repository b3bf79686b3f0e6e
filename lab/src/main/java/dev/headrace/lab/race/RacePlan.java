package dev.headrace.lab.race;

import java.time.Duration;
import java.util.List;

/**
 * What is to be raced, under which loads, and for how long.
 *
 * <p>Thread: any; immutable.
 *
 * @param contestants the servers, all alive in the same run
 * @param cells the loads, one after the other
 * @param window length of one measurement
 * @param rounds how many of each server and cell; 0 leaves it to the spread of the results and the budget
 * @param warmUpMax the longest any server is warmed up in the first cell
 * @param budget what the whole race may take when the rounds are left open
 */
public record RacePlan(
        List<Contestant> contestants,
        List<Cell> cells,
        Duration window,
        int rounds,
        Duration warmUpMax,
        Duration budget) {
    public static final Duration WINDOW_DEFAULT = Duration.ofMillis(500);
    public static final Duration WINDOW_MIN = Duration.ofMillis(250);
    public static final Duration WINDOW_MAX = Duration.ofSeconds(1);
    public static final Duration WARM_UP_DEFAULT = Duration.ofSeconds(8);
    /** Two hundred seconds for four servers under two loads: with starting and printing, under four minutes. */
    private static final Duration BUDGET_EACH = Duration.ofSeconds(25);

    public RacePlan {
        contestants = List.copyOf(contestants);
        cells = List.copyOf(cells);
    }

    /** A plan with the usual window and budget that decides itself how many rounds it takes. */
    public static RacePlan of(List<Contestant> contestants, List<Cell> cells) {
        return new RacePlan(
                contestants,
                cells,
                WINDOW_DEFAULT,
                0,
                WARM_UP_DEFAULT,
                BUDGET_EACH.multipliedBy((long) contestants.size() * cells.size()));
    }

    /** The same with a fixed number of rounds. */
    public RacePlan withRounds(int count) {
        return new RacePlan(contestants, cells, window, count, warmUpMax, budget);
    }

    /** The same with another length of a measurement. */
    public RacePlan withWindow(Duration length) {
        return new RacePlan(contestants, cells, length, rounds, warmUpMax, budget);
    }

    /** The same with another bound of the warm-up. */
    public RacePlan withWarmUpMax(Duration longest) {
        return new RacePlan(contestants, cells, window, rounds, longest, budget);
    }

    /** What will happen, on one line. */
    public String describe() {
        String servers = contestants.size() + (contestants.size() == 1 ? " server" : " servers");
        String loads = cells.size() + (cells.size() == 1 ? " load" : " loads");
        String length = rounds == 0
                ? "at most " + (budget.toSeconds() + 59) / 60 + " minutes"
                : rounds + (rounds == 1 ? " round of " : " rounds of ") + window.toMillis() + " ms each";
        return "racing " + servers + " under " + loads + ", " + length;
    }
}
