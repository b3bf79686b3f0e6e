package dev.headrace.lab.race;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Knows where this copy of the product lies and how to start another Java process of it.
 *
 * <p>Thread: any; immutable.
 *
 * @param root the directory with {@code peers} and {@code perf}
 * @param java the Java to run everything on
 * @param classPath of this process, which others of ours share
 * @param mainClass the command line
 */
public record Installation(Path root, Path java, String classPath, String mainClass) {
    /**
     * Every Java process of a race gets the same. SerialGC, because each has one core; the heap is fixed, so that none
     * spends a window on growing it.
     */
    private static final List<String> JVM_FLAGS =
            List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx1g", "--enable-native-access=ALL-UNNAMED");

    /** Reads {@code headrace.home} and {@code headrace.java}; else the working directory and the running Java. */
    public static Installation ofThisProcess(String mainClass) {
        String home = System.getProperty("headrace.home", "");
        String java = System.getProperty("headrace.java", "");
        return new Installation(
                home.isEmpty() ? above(Path.of("").toAbsolutePath()) : Path.of(home),
                java.isEmpty() ? Path.of(System.getProperty("java.home", ""), "bin", "java") : Path.of(java),
                absolute(System.getProperty("java.class.path", "")),
                mainClass);
    }

    /** A command of our command line, as a process. */
    public List<String> command(List<String> arguments) {
        return java(classPath, mainClass, List.of(), arguments.toArray(String[]::new));
    }

    /** Any main class as a process. */
    public List<String> java(String path, String main, List<String> moreFlags, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(JVM_FLAGS);
        command.addAll(moreFlags);
        command.add("-cp");
        command.add(path);
        command.add(main);
        command.addAll(List.of(arguments));
        return command;
    }

    /** The nearest directory from here upwards that looks like ours. */
    private static Path above(Path start) {
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve("perf").resolve("yardstick"))) {
                return directory;
            }
        }
        return start;
    }

    private static String absolute(String path) {
        return String.join(
                File.pathSeparator,
                Stream.of(path.split(File.pathSeparator, -1))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }
}
