package dev.headrace.lab.race;

import java.util.List;

/** Says that there is nothing of a name that was asked for, and what there is: a mistake in the asking. */
public final class UnknownName extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnknownName(String kind, String name, List<String> known) {
        super("unknown " + kind + " '" + name + "': there are "
                + (known.isEmpty() ? "none" : String.join(", ", known)));
    }

    /** The same mistake as the engine has put it into words. */
    public UnknownName(IllegalArgumentException mistake) {
        super(mistake.getMessage(), mistake);
    }
}
