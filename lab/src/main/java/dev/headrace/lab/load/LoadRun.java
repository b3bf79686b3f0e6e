package dev.headrace.lab.load;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.LoopGroup;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.measure.Cores;
import dev.headrace.lab.measure.DescriptorLimit;
import dev.headrace.lab.measure.ListeningProcess;
import dev.headrace.lab.measure.MachineLoad;
import dev.headrace.lab.workload.ErrorKind;
import dev.headrace.lab.workload.LoadShape;
import dev.headrace.lab.workload.echo.EchoLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Loads one echo server, of any make, from this process.
 *
 * <p>Thread: {@link #run} once, on any; {@link #stop} from any. Owns: the loop, while it runs.
 */
public final class LoadRun {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private final Backend backend;
    private final InetSocketAddress target;
    private final LoadShape shape;
    private final OptionalLong serverPid;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    public LoadRun(Backend backend, InetSocketAddress target, LoadShape shape) {
        this.backend = backend;
        this.target = target;
        this.shape = shape;
        this.serverPid = local(target.getAddress()) ? ListeningProcess.on(target.getPort()) : OptionalLong.empty();
    }

    /** Whether the server is a process of this machine that we may look at, so that its CPU is known. */
    public boolean serverKnown() {
        return serverPid.isPresent();
    }

    /** Ends the run early; {@link #run} returns what was measured so far. */
    public void stop() {
        stopped.complete(null);
    }

    /**
     * Runs.
     *
     * @throws Refusal when not one connection could be made, or there are not enough descriptors
     * @throws IOException when the backend cannot be used
     */
    public Window run(Duration warmUp, Duration duration) throws IOException, InterruptedException {
        DescriptorLimit.require(shape.connections());
        EngineOptions options = EngineOptions.of(backend).withThreadName("load");
        try (LoopGroup group = LoopGroup.open(options)) {
            EchoLoad load = new EchoLoad(group.loops().getFirst(), target, shape, ANSWER_TIMEOUT);
            MeasuredLoad measured =
                    new MeasuredLoad(group.loops().getFirst(), load, serverPid, new MachineLoad(Cores.allowed()));
            try {
                open(group, load);
                CompletableFuture<Window> answer = measured.measure(warmUp, duration, OptionalLong.empty());
                var unused = stopped.thenRun(measured::endNow);
                return answer.get();
            } catch (ExecutionException e) {
                throw new IOException("the load failed: " + e.getCause(), e.getCause());
            } finally {
                group.shutdown(Duration.ZERO);
            }
        }
    }

    private void open(LoopGroup group, EchoLoad load) throws InterruptedException, ExecutionException {
        CompletableFuture<@Nullable String> opened = new CompletableFuture<>();
        group.loops().getFirst().execute(() -> load.open(() -> opened.complete(whyHopeless(load))));
        String hopeless = opened.get();
        if (hopeless != null) {
            throw new Refusal("cannot connect to " + target.getHostString() + ":" + target.getPort() + ": " + hopeless
                    + ": start a server there, or check host and port");
        }
    }

    private static @Nullable String whyHopeless(EchoLoad load) {
        if (load.openConnections() > 0) {
            return null;
        }
        String refused = load.errors().firstOf(ErrorKind.CONNECT);
        return refused != null ? refused : load.errors().toString();
    }

    private static boolean local(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }
}
