package dev.headrace.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Runs a command in this process and keeps what it said. */
record Cli(int status, String out, String err) {
    static Cli run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Headrace.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Cli(status, out.toString(), err.toString());
    }

    /** The lines on standard error. */
    List<String> errLines() {
        return err.lines().toList();
    }
}
