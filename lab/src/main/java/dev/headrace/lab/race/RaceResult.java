package dev.headrace.lab.race;

import dev.headrace.lab.measure.Host;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything a race has brought to light, before any arithmetic.
 *
 * <p>Thread: any; immutable.
 *
 * @param contestants those that were asked for
 * @param configurations what each server that came up said about itself
 * @param cells by load, in the order of the plan; a race that was ended early has fewer
 * @param failures servers that dropped out, each with one line
 * @param notes what a reader of the figures must know
 * @param endedEarly whether loads of the plan are missing or incomplete
 */
public record RaceResult(
        Host host,
        Placement placement,
        Instant started,
        List<Contestant> contestants,
        Map<String, String> configurations,
        List<CellResult> cells,
        List<String> failures,
        List<String> notes,
        boolean endedEarly) {}
