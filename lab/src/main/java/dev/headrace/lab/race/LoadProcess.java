package dev.headrace.lab.race;

import dev.headrace.lab.Refusal;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The race's end of the line to its {@link LoadWorker}.
 *
 * <p>Thread: one at a time. Owns: the process.
 */
final class LoadProcess implements AutoCloseable {
    /** More than any request may take there. */
    private static final long REPLY_SECONDS_MAX = 90;

    private final ChildProcess process;
    private final Writer requests;
    private final JsonMapper json = JsonMapper.shared();

    private LoadProcess(ChildProcess process) {
        this.process = process;
        this.requests = new OutputStreamWriter(process.input(), StandardCharsets.UTF_8);
    }

    static LoadProcess start(Installation installation, Placement placement) throws IOException {
        String cores = Stream.concat(placement.server().stream(), placement.load().stream())
                .distinct()
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        List<String> command =
                installation.java(installation.classPath(), LoadWorker.class.getName(), List.of(), cores);
        return new LoadProcess(ChildProcess.start("load", command, placement.load()));
    }

    /**
     * Asks and waits for the answer.
     *
     * @throws Refusal when the load process itself is broken, which ends the race
     */
    LoadReply ask(LoadRequest request) throws InterruptedException {
        String reply;
        try {
            requests.write(json.writeValueAsString(request) + "\n");
            requests.flush();
            reply = process.nextLine(TimeUnit.SECONDS.toMillis(REPLY_SECONDS_MAX)
                    + TimeUnit.NANOSECONDS.toMillis(request.settleNanos() + request.windowNanos()));
        } catch (IOException e) {
            throw new Refusal("the load process " + process.ending(), e);
        }
        if (reply == null) {
            throw new Refusal("the load process " + process.ending());
        }
        try {
            return json.readValue(reply, LoadReply.class);
        } catch (JacksonException e) {
            throw new Refusal("the load process answered '" + reply + "'", e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
