package dev.headrace.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, ready to be connected to.
 *
 * <p>Owns: the process; closing ends it.
 */
final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+) \\| (.+)");

    private final Process process;
    private final int port;
    private final String configuration;

    private ServerProcess(Process process, int port, String configuration) {
        this.process = process;
        this.port = port;
        this.configuration = configuration;
    }

    /** Starts the command and waits for its line. */
    static ServerProcess start(List<String> command) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("server", ".err");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String line = firstLine(process);
        Matcher ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly().waitFor();
            throw new Refused(process.exitValue(), Files.readString(errors).strip());
        }
        Files.delete(errors);
        return new ServerProcess(process, Integer.parseInt(ready.group(1)), ready.group(2));
    }

    /** The command that runs a rival, on this Java and class path. */
    static List<String> peer(String... arguments) {
        Path java = Path.of(System.getProperty("java.home", ""), "bin", "java");
        List<String> runtime = List.of(
                java.toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path", ""),
                Peer.class.getName());
        return Stream.concat(runtime.stream(), Stream.of(arguments)).toList();
    }

    private static @Nullable String firstLine(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    String configuration() {
        return configuration;
    }

    int port() {
        return port;
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    /** Ends the process as a vanished parent does, by the end of its standard input; returns its exit code. */
    int endInput() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            throw new AssertionError("the process outlives its standard input");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process ended instead of listening. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        private final int exitCode;
        private final String reason;

        Refused(int exitCode, String reason) {
            super(reason);
            this.exitCode = exitCode;
            this.reason = reason;
        }

        String reason() {
            return reason;
        }

        int exitCode() {
            return exitCode;
        }
    }
}
