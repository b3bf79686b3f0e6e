package dev.headrace.lab.race;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A contestant while it runs.
 *
 * <p>Thread: one at a time. Owns: the process.
 */
final class ServerProcess implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on (\\S+):(\\d+)(?: \\| (.*))?");
    private static final long START_SECONDS_MAX = 20;

    private final Contestant contestant;
    private final ChildProcess process;
    private InetSocketAddress address = new InetSocketAddress(0);
    private String configuration = "";

    private ServerProcess(Contestant contestant, ChildProcess process) {
        this.contestant = contestant;
        this.process = process;
    }

    /** Starts it on those cores and does not wait. */
    static ServerProcess start(Contestant contestant, List<Integer> cores) throws ServerFailure {
        try {
            return new ServerProcess(contestant, ChildProcess.start(contestant.name(), contestant.command(), cores));
        } catch (IOException e) {
            throw new ServerFailure(contestant.name(), "cannot be started: " + e.getMessage());
        }
    }

    /** Waits until it says where it listens. */
    void awaitListening() throws ServerFailure, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (System.nanoTime() - deadline < 0) {
            String line = process.nextLine(TimeUnit.SECONDS.toMillis(START_SECONDS_MAX));
            if (line == null) {
                break;
            }
            Matcher matcher = LISTENING.matcher(line.strip());
            if (matcher.matches()) {
                address = new InetSocketAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
                String words = matcher.group(3);
                configuration = words == null ? "" : words;
                return;
            }
        }
        throw new ServerFailure(contestant.name(), process.ending());
    }

    Contestant contestant() {
        return contestant;
    }

    String name() {
        return contestant.name();
    }

    InetSocketAddress address() {
        return address;
    }

    /** What it says about itself: versions, options, features in use. */
    String configuration() {
        return configuration;
    }

    long pid() {
        return process.pid();
    }

    /**
     * Names why it is out.
     *
     * @param seen what the load saw of it; a process that has died explains that better itself
     */
    ServerFailure failure(String seen) throws InterruptedException {
        boolean dead = process.dies();
        return new ServerFailure(contestant.name(), dead ? "died in the race: it " + process.ending() : seen);
    }

    void farewell() {
        process.farewell();
    }

    @Override
    public void close() {
        process.close();
    }
}
