package dev.headrace.peers;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The C yardstick, built for the tests where there is a C compiler. */
final class Yardstick {
    private static final List<String> MODES = List.of("epoll", "epoll-et", "io_uring");

    private Yardstick() {}

    /** Its modes, all skipped if there is no compiler to build them. */
    static List<Target> targets(Path directory) throws IOException, InterruptedException {
        Optional<Path> compiler = compiler();
        Path program = directory.resolve("yardstick");
        if (compiler.isPresent()) {
            build(compiler.get(), program);
        }
        Optional<String> reason = compiler.isPresent() ? Optional.empty() : Optional.of("no C compiler on the PATH");
        return MODES.stream()
                .map(mode -> new Target(
                        "c-" + mode, List.of(program.toString(), mode, "127.0.0.1", "0"), reason, Optional.empty()))
                .toList();
    }

    private static void build(Path compiler, Path program) throws IOException, InterruptedException {
        Path sources = Path.of(System.getProperty("basedir", ""), "..", "perf", "yardstick");
        List<String> command = new ArrayList<>(
                List.of(compiler.toString(), "-O2", "-Wall", "-Wextra", "-Werror", "-o", program.toString()));
        try (Stream<Path> files = Files.list(sources)) {
            files.filter(file -> file.toString().endsWith(".c"))
                    .map(Path::toString)
                    .forEach(command::add);
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError("the yardstick does not compile: " + output);
        }
    }

    private static Optional<Path> compiler() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of("cc", "gcc", "clang")
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
