package dev.headrace.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where results go and how much is said around them; shared by the commands that measure. */
final class OutputOptions {
    @Option(
            names = "--json",
            paramLabel = "FILE|-",
            description = "Write the result as JSON too; - for standard output, with the text on standard error.")
    private @Nullable String json;

    @Option(names = "--quiet", description = "Print the result alone, without remarks and progress.")
    private boolean quiet;

    /** The target of the record, checked before anything is measured for it. */
    JsonOutput record() {
        return JsonOutput.to(json);
    }

    /** The terminal, which leaves standard output to the record when that goes there. */
    Terminal terminal(CommandLine command, JsonOutput record) {
        return new Terminal(command.getOut(), command.getErr(), quiet, record.onStandardOutput());
    }
}
