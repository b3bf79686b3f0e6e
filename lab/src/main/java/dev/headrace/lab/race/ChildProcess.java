package dev.headrace.lab.race;

import dev.headrace.lab.measure.Cores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process of a race: pinned, deaf to the terminal's interrupt, and gone when we are.
 *
 * <p>Thread: one at a time. Owns: the process, and two threads that read its output.
 */
final class ChildProcess implements AutoCloseable {
    /**
     * Ctrl-C goes to every process of the terminal's group. What is ignored at exec stays ignored, by the Java runtime
     * as well, so that the race ends its processes itself, in order.
     */
    private static final List<String> DEAF = List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh");

    private static final int LAST_WORDS_MAX = 20;
    private static final int LINES_MAX = 1000;
    private static final long GRACE_MILLIS = 2000;
    private static final long LAST_WORDS_MILLIS = 200;
    private static final long DEATH_MILLIS = 500;
    private static final int SIGNALLED = 128;

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES_MAX);
    private final Deque<String> lastWords = new ArrayDeque<>();
    private final Thread outputReader;
    private final Thread errorReader;

    private ChildProcess(String name, Process process) {
        this.process = process;
        outputReader = reader(name + "-stdout", process.inputReader(StandardCharsets.UTF_8), true);
        errorReader = reader(
                name + "-stderr",
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8)),
                false);
    }

    /** Starts the command on those cores; no cores means wherever this process may run. */
    static ChildProcess start(String name, List<String> command, List<Integer> cores) throws IOException {
        List<String> whole = new ArrayList<>(DEAF);
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole);
        try {
            return new ChildProcess(name, Cores.confinedTo(cores, builder::start));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private Thread reader(String name, BufferedReader from, boolean output) {
        return Thread.ofPlatform().daemon().name(name).start(() -> {
            try (from) {
                for (String line = from.readLine(); line != null; line = from.readLine()) {
                    heard(line, output);
                }
            } catch (IOException e) {
                // the process is gone, and its pipe with it
            }
        });
    }

    private void heard(String line, boolean output) {
        if (output && lines.offer(line)) {
            return;
        }
        synchronized (lastWords) {
            lastWords.addLast(line);
            if (lastWords.size() > LAST_WORDS_MAX) {
                lastWords.removeFirst();
            }
        }
    }

    long pid() {
        return process.pid();
    }

    /** Whether it is dead, or dies within a moment. */
    boolean dies() throws InterruptedException {
        return process.waitFor(DEATH_MILLIS, TimeUnit.MILLISECONDS);
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    /** The next line of its output; null when none came in time or the process ended. */
    @Nullable
    String nextLine(long timeoutMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (System.nanoTime() - deadline < 0) {
            String line = lines.poll(20, TimeUnit.MILLISECONDS);
            if (line != null) {
                return line;
            }
            if (!outputReader.isAlive() && lines.isEmpty()) {
                return null;
            }
        }
        return null;
    }

    /** How it ended and what it said last, for example {@code was killed by signal 9}. */
    String ending() throws InterruptedException {
        // Its pipes and sockets are closed before its end is reported.
        boolean dead = dies();
        String words = said();
        if (!dead) {
            return "does not answer" + words;
        }
        int status = process.exitValue();
        return (status > SIGNALLED ? "was killed by signal " + (status - SIGNALLED) : "ended with status " + status)
                + words;
    }

    private String said() throws InterruptedException {
        errorReader.join(LAST_WORDS_MILLIS);
        synchronized (lastWords) {
            // A Java stack trace has its message in front; the frames below it say nothing to a user.
            return lastWords.stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("at ") && !line.startsWith("WARNING"))
                    .reduce((first, second) -> second)
                    .map(line -> ": " + line)
                    .orElse("");
        }
    }

    /** Tells it to end by ending its input. */
    void farewell() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
    }

    /** Waits a little for its end, then enforces it. */
    @Override
    public void close() {
        farewell();
        try {
            if (!process.waitFor(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
