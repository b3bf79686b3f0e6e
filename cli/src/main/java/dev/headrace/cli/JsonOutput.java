package dev.headrace.cli;

import dev.headrace.lab.Refusal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code --json} wants the record: nowhere, standard output, or a file.
 *
 * <p>Thread: the command's.
 */
final class JsonOutput {
    private static final String STANDARD_OUTPUT = "-";

    private final @Nullable String target;

    private JsonOutput(@Nullable String target) {
        this.target = target;
    }

    /**
     * Checks that the target can be written, before anything is measured for it.
     *
     * @throws Refusal when it cannot
     */
    static JsonOutput to(@Nullable String target) {
        if (target != null && !target.equals(STANDARD_OUTPUT)) {
            try {
                Files.newOutputStream(Path.of(target), StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                        .close();
            } catch (IOException e) {
                throw refusal(target, e);
            }
        }
        return new JsonOutput(target);
    }

    boolean wanted() {
        return target != null;
    }

    boolean onStandardOutput() {
        return STANDARD_OUTPUT.equals(target);
    }

    /** Writes the record. */
    void write(String json, PrintWriter out) {
        if (target == null) {
            return;
        }
        if (onStandardOutput()) {
            out.println(json);
            out.flush();
            return;
        }
        try {
            Files.writeString(Path.of(target), json + System.lineSeparator(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw refusal(target, e);
        }
    }

    private static Refusal refusal(String target, IOException cause) {
        return new Refusal(
                "cannot write '" + target + "': " + cause.getClass().getSimpleName()
                        + "; name a file in a directory that exists and is yours",
                cause);
    }
}
