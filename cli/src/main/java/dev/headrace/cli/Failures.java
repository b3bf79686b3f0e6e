package dev.headrace.cli;

import dev.headrace.lab.Refusal;
import dev.headrace.lab.race.UnknownName;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns whatever goes wrong into one line that names the cause and the remedy, and into an exit status: 2 for a mistake
 * in the asking, 1 for everything else.
 *
 * <p>Thread: the one that runs the command.
 */
final class Failures implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
    private final Headrace headrace;

    Failures(Headrace headrace) {
        this.headrace = headrace;
    }

    /** The names of the commands below this one. */
    static String subcommands(CommandSpec spec) {
        return String.join(", ", spec.subcommands().keySet());
    }

    @Override
    public int handleParseException(ParameterException mistake, String[] arguments) {
        CommandLine command = mistake.getCommandLine();
        String help = command.getCommandSpec().qualifiedName() + " --help";
        report(command.getErr(), words(mistake) + " (see " + help + ")", mistake, debugAsked(arguments));
        return CommandLine.ExitCode.USAGE;
    }

    private static String words(ParameterException mistake) {
        CommandSpec spec = mistake.getCommandLine().getCommandSpec();
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            List<String> names = unmatched.getUnmatched();
            String first = names.isEmpty() ? "" : names.getFirst();
            if (!first.startsWith("-") && !spec.subcommands().isEmpty()) {
                String kind = spec.parent() == null ? "command" : "workload";
                return firstLine(new UnknownName(
                        kind, first, List.copyOf(spec.subcommands().keySet())));
            }
            List<String> suggestions = unmatched.getSuggestions();
            return firstLine(mistake) + (suggestions.isEmpty() ? "" : "; did you mean " + suggestions.getFirst() + "?");
        }
        return firstLine(mistake);
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        boolean debug = headrace.debug();
        if (failure instanceof UnknownName unknown) {
            report(command.getErr(), firstLine(unknown), unknown, debug);
            return CommandLine.ExitCode.USAGE;
        }
        boolean expected = failure instanceof Refusal
                || failure instanceof IOException
                || failure instanceof IllegalStateException && failure.getMessage() != null;
        String words = expected
                ? firstLine(failure)
                : "unexpected failure: " + failure + "; --debug shows where, please report it";
        report(command.getErr(), words, failure, debug);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static void report(PrintWriter err, String words, Exception failure, boolean debug) {
        err.println("headrace: " + words);
        if (debug) {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    private static boolean debugAsked(String[] arguments) {
        return List.of(arguments).contains("--debug");
    }

    private static String firstLine(Exception failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.toString()
                : message.lines().findFirst().orElse(failure.toString());
    }
}
