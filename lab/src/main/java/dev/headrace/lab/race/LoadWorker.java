package dev.headrace.lab.race;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.load.MeasuredLoad;
import dev.headrace.lab.measure.MachineLoad;
import dev.headrace.lab.workload.LoadShape;
import dev.headrace.lab.workload.echo.EchoLoad;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The load process of a race: reads one JSON request a line from its standard input and answers each with a line. It
 * ends with its input.
 *
 * <p>Thread: the main one; loads run on the loop. Owns: the loop, and a load for each server.
 */
public final class LoadWorker {
    /** No answer for so long is a failure of the server. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    /** What a request may take besides its window; connections and drains have bounds of their own below this. */
    private static final long REQUEST_SECONDS_MAX = 60;

    private final LoopGroup group;
    private final Loop loop;
    private final MachineLoad machine;
    private final Map<String, MeasuredLoad> loads = new HashMap<>();

    private LoadWorker(LoopGroup group, List<Integer> cores) {
        this.group = group;
        this.loop = group.loops().getFirst();
        this.machine = new MachineLoad(cores);
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments the cores of server and load, separated by commas
     */
    public static void main(String[] arguments) throws IOException {
        List<Integer> cores = Stream.of(arguments[0].split(",", -1))
                .map(Integer::valueOf)
                .distinct()
                .toList();
        EngineOptions options = EngineOptions.of(Backend.auto().backend()).withThreadName("load");
        PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (LoopGroup group = LoopGroup.open(options)) {
            new LoadWorker(group, cores)
                    .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), output);
        }
    }

    private void serve(BufferedReader input, PrintStream output) throws IOException {
        JsonMapper json = JsonMapper.shared();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            output.println(json.writeValueAsString(answer(json.readValue(line, LoadRequest.class))));
        }
        group.shutdown(Duration.ZERO);
    }

    private LoadReply answer(LoadRequest request) {
        try {
            return switch (request.action()) {
                case OPEN -> open(request);
                case WINDOW -> window(request);
                case CLOSE -> close(request);
            };
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Refusal refusal) {
                return LoadReply.failed(String.valueOf(refusal.getMessage()));
            }
            return LoadReply.failed("the load failed: " + e.getCause());
        } catch (TimeoutException e) {
            return LoadReply.failed("the load did not end in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return LoadReply.failed("interrupted");
        }
    }

    private LoadReply open(LoadRequest request) throws ExecutionException, InterruptedException, TimeoutException {
        EchoLoad load = new EchoLoad(
                loop,
                new InetSocketAddress(request.host(), request.port()),
                new LoadShape(request.connections(), request.payloadBytes(), request.depth(), request.active()),
                ANSWER_TIMEOUT);
        MeasuredLoad measured = new MeasuredLoad(loop, load, OptionalLong.of(request.pid()), machine);
        CompletableFuture<String> opened = new CompletableFuture<>();
        loads.put(request.server(), measured);
        loop.execute(() -> load.open(() -> opened.complete(load.errors().toString())));
        String errors = opened.get(REQUEST_SECONDS_MAX, TimeUnit.SECONDS);
        return errors.isEmpty() ? LoadReply.done() : LoadReply.failed("did not take all connections: " + errors);
    }

    private LoadReply window(LoadRequest request) throws ExecutionException, InterruptedException, TimeoutException {
        MeasuredLoad measured = loads.get(request.server());
        if (measured == null) {
            return LoadReply.failed("has no connections");
        }
        OptionalLong tracepoint = request.tracepoint() == LoadRequest.NOT_COUNTED
                ? OptionalLong.empty()
                : OptionalLong.of(request.tracepoint());
        Duration settle = Duration.ofNanos(request.settleNanos());
        Duration window = Duration.ofNanos(request.windowNanos());
        return LoadReply.measured(measured.measure(settle, window, tracepoint)
                .get(settle.plus(window).toSeconds() + REQUEST_SECONDS_MAX, TimeUnit.SECONDS));
    }

    private LoadReply close(LoadRequest request) throws ExecutionException, InterruptedException, TimeoutException {
        MeasuredLoad measured = loads.remove(request.server());
        if (measured != null) {
            CompletableFuture<Void> closed = new CompletableFuture<>();
            loop.execute(() -> {
                measured.load().close();
                closed.complete(null);
            });
            closed.get(REQUEST_SECONDS_MAX, TimeUnit.SECONDS);
        }
        return LoadReply.done();
    }
}
