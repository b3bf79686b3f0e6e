package dev.headrace.testkit;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.Loop;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A JVM of its own, for what concerns a whole process: limits, heaps, memory. It is spoken to by lines on its standard
 * input, and answers by lines on its standard output.
 */
public final class ChildJvm implements AutoCloseable {
    private static final int WAIT_SECONDS = 60;
    private static final String END = "\0end of output";

    private static final Map<Path, Path> ARCHIVES = new HashMap<>();

    private final Process process;
    private final BufferedWriter input;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> seen = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread.ofPlatform().daemon().name("output of child").start(this::readOutput);
    }

    /** Runs the echo server on a setting. */
    public static ChildJvm echo(List<String> options, Setting setting) throws IOException {
        return start(EchoProcess.class, options, setting.backend().id(), String.join(",", setting.masked()));
    }

    /** Runs the main method of a class of the tests, with the engine on the class path and nothing else. */
    public static ChildJvm start(Class<?> main, List<String> options, String... arguments) throws IOException {
        return startUnder(List.of(), main, options, arguments);
    }

    /** The same by way of another command, which runs the one behind it: {@code strace}, {@code setpriv}. */
    public static ChildJvm startUnder(List<String> prefix, Class<?> main, List<String> options, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.add("-cp");
        command.add(classPath(main));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return new ChildJvm(builder.start());
    }

    /** Archives, as in a real installation: classes in a directory would need a descriptor each when they are loaded. */
    private static String classPath(Class<?> main) throws IOException {
        Set<String> entries = new LinkedHashSet<>();
        for (Class<?> member : List.of(main, Loop.class, SystemCalls.class)) {
            try {
                Path place = Path.of(member.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
                entries.add(archive(place).toString());
            } catch (URISyntaxException e) {
                throw new AssertionError(e);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    /** A copy that every user may read: a child need not be ours. */
    private static synchronized Path archive(Path place) throws IOException {
        Path known = ARCHIVES.get(place);
        if (known != null) {
            return known;
        }
        Path archive = Files.createTempFile("headrace-tests", ".jar");
        archive.toFile().deleteOnExit();
        if (Files.isDirectory(place)) {
            pack(place, archive);
        } else {
            Files.copy(place, archive, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rw-r--r--"));
        ARCHIVES.put(place, archive);
        return archive;
    }

    private static void pack(Path place, Path archive) throws IOException {
        try (Stream<Path> files = Files.walk(place);
                JarOutputStream jar = new JarOutputStream(Files.newOutputStream(archive))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                jar.putNextEntry(new JarEntry(place.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
    }

    private void readOutput() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("reading failed: " + e);
        }
        lines.add(END);
    }

    public void tell(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the child does not listen; it said " + seen, e);
        }
    }

    /** The rest of the next line that begins with a word; the lines before it are kept for messages. */
    public String answer(String word) {
        try {
            while (true) {
                String line = lines.poll(WAIT_SECONDS, TimeUnit.SECONDS);
                if (line == null || line.equals(END)) {
                    throw new AssertionError("the child "
                            + (line == null ? "is silent" : "has ended with " + exitCode())
                            + " instead of saying '" + word + "'; it said "
                            + String.join(System.lineSeparator(), seen));
                }
                seen.add(line);
                if (line.startsWith(word + " ") || line.equals(word)) {
                    return line.substring(word.length()).strip();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    public String ask(String word) {
        tell(word);
        return answer(word);
    }

    /** Waits for the end. */
    public int exitCode() {
        try {
            if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("the child does not end; it said " + seen);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    public List<String> seen() {
        return List.copyOf(seen);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
