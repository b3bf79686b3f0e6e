package dev.headrace.lab.race;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was measured under one load.
 *
 * <p>Thread: any; immutable.
 *
 * @param cell the load
 * @param rounds those that count
 * @param disturbed how many of them others disturbed; they count as there were no better ones
 * @param dropped how many more were disturbed and do not count
 * @param systemCallsPerMessage by server, from a window of their own
 * @param unsteady servers that were still getting faster when the rounds began
 */
public record CellResult(
        Cell cell,
        List<Round> rounds,
        int disturbed,
        int dropped,
        Map<String, Double> systemCallsPerMessage,
        Set<String> unsteady) {}
