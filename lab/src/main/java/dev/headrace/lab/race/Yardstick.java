package dev.headrace.lab.race;

import dev.headrace.lab.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Compiles the C servers that measure what the kernel interfaces cost without a runtime.
 *
 * <p>Thread: one at a time. Owns: the program below its {@code target} directory.
 */
final class Yardstick {
    private static final long COMPILE_SECONDS_MAX = 60;

    private final Path directory;

    Yardstick(Path root) {
        this.directory = root.resolve("perf").resolve("yardstick");
    }

    /**
     * The program, built when there is none yet or a source is newer.
     *
     * @throws Refusal when there is no source or no compiler, or it does not compile
     */
    Path program() {
        Path program = directory.resolve("target").resolve("yardstick");
        try {
            if (!upToDate(program)) {
                compile(program);
            }
        } catch (IOException e) {
            throw new Refusal("the C yardstick cannot be built: " + e.getMessage(), e);
        }
        return program;
    }

    private boolean upToDate(Path program) throws IOException {
        if (!Files.isExecutable(program)) {
            return false;
        }
        long built = Files.getLastModifiedTime(program).toMillis();
        for (Path source : files(".c", ".h")) {
            if (Files.getLastModifiedTime(source).toMillis() > built) {
                return false;
            }
        }
        return true;
    }

    private void compile(Path program) throws IOException {
        List<String> command = new ArrayList<>(List.of("cc", "-O2", "-o"));
        Path fresh =
                program.resolveSibling("yardstick." + ProcessHandle.current().pid());
        command.add(fresh.toString());
        for (Path source : files(".c")) {
            command.add(source.toString());
        }
        Files.createDirectories(directory.resolve("target"));
        Process compiler;
        try {
            compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            throw new Refusal("the C yardstick needs a C compiler, and there is no cc: install gcc or clang, or leave"
                    + " out the peers whose names begin with c-");
        }
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!compiler.waitFor(COMPILE_SECONDS_MAX, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
                throw new Refusal("the C yardstick does not compile: "
                        + said.lines()
                                .filter(line -> line.contains("error"))
                                .findFirst()
                                .orElse(said.strip()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal("compiling the C yardstick was interrupted");
        }
        // Replaced in one step: a program that is being run cannot be written to.
        Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
    }

    private List<Path> files(String... suffixes) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new Refusal("the C yardstick cannot be built: there is no " + directory);
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> Stream.of(suffixes)
                            .anyMatch(suffix -> entry.toString().endsWith(suffix)))
                    .sorted()
                    .toList();
        }
    }
}
