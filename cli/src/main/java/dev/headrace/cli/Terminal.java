package dev.headrace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Knows where results, remarks and progress go, and whether anybody is watching.
 *
 * <p>Thread: the command's. Owns: the progress line on standard error.
 */
final class Terminal {
    private static final String ERASE_LINE = "\r\u001b[K";
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    private final PrintWriter results;
    private final PrintWriter err;
    private final boolean quiet;
    private final boolean progressShown;
    private final boolean bold;
    private boolean lineDirty;

    /**
     * Looks at the environment.
     *
     * @param jsonOnOut whether standard output is taken by JSON, so that text goes to standard error
     */
    Terminal(PrintWriter out, PrintWriter err, boolean quiet, boolean jsonOnOut) {
        this.results = jsonOnOut ? err : out;
        this.err = err;
        this.quiet = quiet;
        this.progressShown = !quiet && isTerminal(2);
        boolean colourless = System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
        this.bold = !colourless && isTerminal(jsonOnOut ? 2 : 1);
    }

    /** A line of the result. */
    void result(String line) {
        clear();
        results.println(line);
        results.flush();
    }

    /** A line of the result that heads others. */
    void heading(String line) {
        result(bold ? BOLD + line + PLAIN : line);
    }

    /** A line that helps to understand the result, left out when the user wants quiet. */
    void remark(String line) {
        if (!quiet) {
            result(line);
        }
    }

    /** A line about something that went wrong. */
    void warning(String line) {
        clear();
        err.println(line);
        err.flush();
    }

    /** What is going on right now; replaces what was said before. Only when somebody watches. */
    void progress(String line) {
        if (progressShown) {
            err.print(ERASE_LINE + line);
            err.flush();
            lineDirty = true;
        }
    }

    private void clear() {
        if (lineDirty) {
            err.print(ERASE_LINE);
            err.flush();
            lineDirty = false;
        }
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException unknown) {
            return false;
        }
    }
}
