package dev.headrace.lab.race;

import dev.headrace.lab.statistics.Comparison;
import dev.headrace.lab.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Says in words what a ratio means, and how small a difference it could have shown.
 *
 * <p>Thread: any; no state.
 */
final class Verdict {
    private static final String SUBJECT = " server CPU per message";

    private Verdict() {}

    /** The verdicts on the pairs that answer a question: ours on both interfaces, and ours against rivals on the same. */
    static List<String> of(List<Ratio> ratios) {
        List<String> words = new ArrayList<>();
        for (Ratio ratio : ratios) {
            boolean bothOurs = ratio.pair().a().ours() && ratio.pair().b().ours();
            boolean rival = ratio.pair().a().ours() && ratio.pair().sameInterface();
            if (bothOurs || rival) {
                words.add(of(ratio));
            }
        }
        return words;
    }

    static String of(Ratio ratio) {
        Comparison comparison = ratio.comparison();
        Interval interval = comparison.ratio();
        String where = ratio.cell().describe() + ": ";
        String rounds = comparison.rounds() + (comparison.rounds() == 1 ? " round" : " rounds");
        String seen = rounds + "; smallest difference they could have shown "
                + percentUp(comparison.smallestDifferenceSeen()) + " %";
        String user = ratio.userRatioTrusted()
                ? String.format(Locale.ROOT, " Of user CPU alone it costs %.2f times as much.", ratio.userRatio())
                : "";
        return where
                + switch (comparison.outcome()) {
                    case LESS ->
                        costs(ratio, percent(1 - interval.median()) + " % less") + " (90 % interval "
                                + percent(1 - interval.high()) + " to " + percent(1 - interval.low()) + " %, " + seen
                                + ")." + user;
                    case MORE ->
                        costs(ratio, percent(interval.median() - 1) + " % more") + " (90 % interval "
                                + percent(interval.low() - 1) + " to " + percent(interval.high() - 1) + " %, " + seen
                                + ")." + user;
                    case NO_DIFFERENCE ->
                        "no difference above " + percentUp(comparison.differenceRuledOut()) + " % in" + SUBJECT
                                + " between " + both(ratio) + " (90 % interval " + signed(interval.low() - 1) + " to "
                                + signed(interval.high() - 1) + " %, " + seen + ")." + user;
                };
    }

    private static String costs(Ratio ratio, String difference) {
        return ratio.pair()
                .a()
                .maskedRung()
                .map(rung -> "without " + rung + " " + ratio.b() + " costs " + difference + SUBJECT)
                .orElseGet(() -> ratio.a() + " costs " + difference + SUBJECT + " than " + ratio.b());
    }

    private static String both(Ratio ratio) {
        return ratio.pair()
                .a()
                .maskedRung()
                .map(rung -> ratio.b() + " without and with " + rung)
                .orElseGet(() -> ratio.a() + " and " + ratio.b());
    }

    private static long percent(double part) {
        return Math.round(part * 100);
    }

    private static long percentUp(double part) {
        return (long) Math.ceil(part * 100 - 1e-9);
    }

    private static String signed(double part) {
        long percent = percent(part);
        return percent > 0 ? "+" + percent : String.valueOf(percent);
    }
}
