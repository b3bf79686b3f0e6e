package dev.headrace.abi.check;

import dev.headrace.abi.check.Source.Answer;
import dev.headrace.abi.check.Source.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A comparison of claims with sources: every source that knows a number must confirm it, and each number must be
 * confirmed by at least one. The last resort is asked only about what no other source knows.
 */
final class AbiCheck {
    private final String title;
    private final List<Claim> claims;
    private final List<Source> sources;
    private final Source lastResort;
    private final Map<String, List<String>> confirmedBy = new LinkedHashMap<>();
    private final List<String> refuted = new ArrayList<>();
    private final List<Claim> leftOver = new ArrayList<>();

    AbiCheck(String title, List<Claim> claims, List<Source> sources, Source lastResort) {
        this.title = title;
        this.claims = claims;
        this.sources = sources;
        this.lastResort = lastResort;
        claims.forEach(this::compare);
    }

    private void compare(Claim claim) {
        List<String> confirming = new ArrayList<>();
        boolean known = false;
        for (Source source : sources) {
            known |= ask(source, claim, confirming);
        }
        known |= !known && ask(lastResort, claim, confirming);
        if (!known) {
            leftOver.add(claim);
        }
        confirmedBy.put(claim.key(), confirming);
    }

    private boolean ask(Source source, Claim claim, List<String> confirming) {
        Answer answer = source.answer(claim);
        switch (answer.verdict()) {
            case CONFIRMED -> confirming.add(source.name());
            case REFUTED ->
                refuted.add(claim.key() + " = " + claim.value() + " is wrong by " + source.name() + ": "
                        + answer.explanation());
            case UNKNOWN -> {
                // another source may know
            }
        }
        return answer.verdict() != Verdict.UNKNOWN;
    }

    List<Claim> claims() {
        return claims;
    }

    /** The claims that a source contradicts, one line each. */
    List<String> refuted() {
        return refuted;
    }

    /** The claims that no source knows. */
    List<String> leftOver() {
        return leftOver.stream().map(Claim::key).toList();
    }

    /** The sources that confirmed a claim. */
    List<String> sourcesOf(Claim claim) {
        return confirmedBy.getOrDefault(claim.key(), List.of());
    }

    /** The report: how many numbers there are and how many each source compared, constants + layouts' numbers. */
    String line() {
        long constants = claims.stream().filter(Claim::isConstant).count();
        long layouts = claims.stream()
                .filter(claim -> !claim.isConstant())
                .map(claim -> claim.key().substring(0, claim.key().indexOf('.')))
                .distinct()
                .count();
        StringBuilder line =
                new StringBuilder("AbiCheck %s: %d constants, %d layouts with %d sizes, offsets and widths: "
                        .formatted(title, constants, layouts, claims.size() - constants));
        for (Source source : sources) {
            line.append(count(source)).append(", ");
        }
        return line.append(count(lastResort))
                .append(", left over ")
                .append(leftOver.size())
                .toString();
    }

    private String count(Source source) {
        int constants = 0;
        int numbersOfLayouts = 0;
        for (Claim claim : claims) {
            if (sourcesOf(claim).contains(source.name())) {
                constants += claim.isConstant() ? 1 : 0;
                numbersOfLayouts += claim.isConstant() ? 0 : 1;
            }
        }
        return source.name() + " " + constants + " + " + numbersOfLayouts;
    }
}
