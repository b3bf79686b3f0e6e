package dev.headrace.lab.race;

/**
 * A limit that is part of an interface to the kernel, so that no setting raises it.
 *
 * <p>Thread: any; immutable.
 *
 * @param name as the kernel's documentation has it
 * @param reason what it means here, on one line
 */
public record InterfaceLimit(String name, String reason) {
    /** As it stands in the place of a figure, for example {@code n/a (FD_SETSIZE)}. */
    public String inPlaceOfFigures() {
        return "n/a (" + name + ")";
    }
}
