package dev.headrace.abi.check;

import dev.headrace.abi.check.Claim.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The C headers: a program with one function for each claim is compiled and run. What the headers do not declare makes
 * its function fail to compile; such functions are taken out and the rest is compiled again.
 */
final class Headers implements Source {
    private static final Pattern ERROR = Pattern.compile("^[^:]*\\.c:(\\d+):.*\\berror:.*");
    private static final int ROUNDS_MAX = 64;
    private static final int SECONDS_MAX = 120;

    /** Stands for a line without a claim. */
    private static final Claim NONE =
            new Claim("", Kind.CONSTANT, "", null, null, 0, "", List.of(), 0, 32, null, false);

    private final Map<String, Long> found;

    private Headers(Map<String, Long> found) {
        this.found = found;
    }

    /** Whether a program can be started, which is tried with {@code --version}. */
    static boolean canRun(String program) {
        try {
            return run(List.of(program, "--version")).status == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Compiles and runs the program for these claims; {@code runner} is what goes before the program's own name. */
    static Headers ask(List<Claim> claims, List<String> compiler, List<String> runner) throws IOException {
        Path folder = Files.createTempDirectory("abi-check");
        try {
            return new Headers(ask(claims, compiler, runner, folder));
        } finally {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }

    private static Map<String, Long> ask(List<Claim> claims, List<String> compiler, List<String> runner, Path folder)
            throws IOException {
        Path source = folder.resolve("abi.c");
        Path program = folder.resolve("abi");
        List<String> compile = new ArrayList<>(compiler);
        compile.addAll(List.of("-w", "-o", program.toString(), source.toString()));
        Set<Claim> left = new LinkedHashSet<>(claims);
        for (int round = 0; round < ROUNDS_MAX; round++) {
            List<Claim> lines = new ArrayList<>();
            Files.writeString(source, program(left, lines));
            Output output = run(compile);
            if (output.status == 0) {
                List<String> start = new ArrayList<>(runner);
                start.add(program.toString());
                return numbers(run(start), lines);
            }
            Set<Claim> unknown = refused(output.text, lines);
            if (unknown.isEmpty()) {
                throw new IOException("the program does not compile:\n" + output.text);
            }
            left.removeAll(unknown);
        }
        throw new IOException("the program does not compile after " + ROUNDS_MAX + " rounds");
    }

    /** The program; each claim is one line, and {@code lines} receives the claims by line. */
    private static String program(Set<Claim> claims, List<Claim> lines) {
        StringBuilder text = new StringBuilder("#define _GNU_SOURCE 1\n#include <stddef.h>\n#include <stdio.h>\n");
        text.append("#include <string.h>\n");
        Set<String> headers = new LinkedHashSet<>();
        claims.forEach(claim -> headers.addAll(claim.headers()));
        for (String header : headers) {
            text.append("#if __has_include(<%1$s>)\n#include <%1$s>\n#endif\n".formatted(header));
        }
        int line = (int) text.chars().filter(c -> c == '\n').count();
        List<Claim> listed = List.copyOf(claims);
        StringBuilder calls = new StringBuilder();
        for (int i = 0; i < listed.size(); i++) {
            text.append("static long long v%d(void) { %s }\n".formatted(i, body(listed.get(i))));
            calls.append("    printf(\"%d %%lld\\n\", v%d());\n".formatted(line + i, i));
        }
        for (int i = 0; i < line; i++) {
            lines.add(NONE);
        }
        lines.addAll(listed);
        return text + "int main(void) {\n" + calls + "    return 0;\n}\n";
    }

    private static String body(Claim claim) {
        if (claim.kind() != Kind.BIT_FIELD) {
            return "return (long long) (" + claim.expression() + ");";
        }
        return "union { %s s; unsigned long long w[64]; } u; memset(&u, 0, sizeof u); u.s.%s = 1; return u.w[%d];"
                .formatted(claim.name(), claim.member(), claim.word() / Long.BYTES);
    }

    private static Set<Claim> refused(String errors, List<Claim> lines) {
        Set<Claim> refused = new LinkedHashSet<>();
        for (String error : errors.lines().toList()) {
            Matcher matcher = ERROR.matcher(error);
            if (matcher.matches()) {
                int line = Integer.parseInt(matcher.group(1)) - 1;
                if (line < lines.size() && !lines.get(line).equals(NONE)) {
                    refused.add(lines.get(line));
                }
            }
        }
        return refused;
    }

    private static Map<String, Long> numbers(Output output, List<Claim> lines) throws IOException {
        if (output.status != 0) {
            throw new IOException("the program ended with status " + output.status + ":\n" + output.text);
        }
        Map<String, Long> numbers = new HashMap<>();
        for (String line : output.text.lines().toList()) {
            String[] parts = line.split(" ", -1);
            numbers.put(lines.get(Integer.parseInt(parts[0])).key(), Long.parseLong(parts[1]));
        }
        return numbers;
    }

    private static Output run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C"); // the errors are read
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command + " does not end");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return new Output(process.exitValue(), text);
    }

    private record Output(int status, String text) {}

    @Override
    public String name() {
        return "headers";
    }

    @Override
    public Answer answer(Claim claim) {
        Long number = found.get(claim.key());
        return number == null ? Answer.UNKNOWN : Answer.found(claim, number);
    }
}
