package dev.headrace.engine.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a backend can use on this kernel, rung by rung, each with the reason.
 *
 * <p>Thread: any; immutable.
 */
public record Capabilities(List<Rung> rungs) {
    /**
     * One optional feature.
     *
     * @param name as in the documentation, such as {@code multishot-receive}
     * @param inUse whether the driver builds on it
     * @param reason what was tried and what the kernel said
     */
    public record Rung(String name, boolean inUse, String reason) {}

    public Capabilities {
        rungs = List.copyOf(rungs);
    }

    /** Whether the rung of that name is in use; false when there is none. */
    public boolean uses(String name) {
        return rungs.stream().anyMatch(rung -> rung.name().equals(name) && rung.inUse());
    }

    /** The rungs that are not in use with their reasons, on one line; empty when all are. */
    public String missing() {
        return rungs.stream()
                .filter(rung -> !rung.inUse())
                .map(rung -> rung.name() + " (" + rung.reason() + ")")
                .collect(Collectors.joining(", "));
    }

    /** The rungs in use, then those that are not with their reasons, on one line. */
    @Override
    public String toString() {
        String used = rungs.stream().filter(Rung::inUse).map(Rung::name).collect(Collectors.joining(", "));
        String missing = missing();
        return missing.isEmpty() ? used : used + "; without " + missing;
    }

    /** Collects rungs in the order in which they are tried. */
    public static final class Builder {
        private final List<Rung> rungs = new ArrayList<>();

        public Builder add(String name, boolean inUse, String reason) {
            rungs.add(new Rung(name, inUse, reason));
            return this;
        }

        public Capabilities build() {
            return new Capabilities(rungs);
        }
    }
}
