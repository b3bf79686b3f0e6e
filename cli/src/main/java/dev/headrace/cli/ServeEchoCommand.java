package dev.headrace.cli;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.LoopGroup;
import dev.headrace.lab.Refusal;
import dev.headrace.lab.workload.echo.EchoServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the echo server until it is told to end. */
@Command(name = "echo", description = "Returns what it receives, until Ctrl-C.", mixinStandardHelpOptions = true)
final class ServeEchoCommand implements Callable<Integer> {
    private static final Duration GRACE = Duration.ofSeconds(3);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before any use
    private CommandSpec spec;

    @Mixin
    private final BackendOption backend = new BackendOption();

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "The address to listen on (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7000",
            description = "The port to listen on, 0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private final LoopOptions loops = new LoopOptions();

    @Option(names = "--counters", description = "Print the loops' counters to standard error at the end.")
    private boolean counters;

    @Option(names = "--until-stdin-ends", hidden = true, description = "End with standard input.")
    private boolean untilInputEnds;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        InetSocketAddress address = address();
        Backend.Choice choice = backend.choose();
        EngineOptions options = loops.options(choice.backend());
        CountDownLatch end = new CountDownLatch(1);
        try (Interruption _ = Interruption.handledBy(end::countDown, GRACE.plusSeconds(2));
                LoopGroup group = LoopGroup.open(options)) {
            Listener listener = listen(group, address);
            out.println("listening on " + text(listener.address()) + " | backend "
                    + group.backend().id() + " (" + choice.reason() + "); rungs: " + group.capabilities());
            out.flush();
            awaitEnd(end);
            group.shutdown(GRACE);
            if (counters) {
                printCounters(group);
            }
        }
        return ExitCode.OK;
    }

    private InetSocketAddress address() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new Refusal(
                    "host '" + host + "' cannot be resolved: check its spelling, or give an address of this"
                            + " machine as a number",
                    e);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "port " + port + " is out of range: 0 to 65535");
        }
    }

    private static Listener listen(LoopGroup group, InetSocketAddress address) throws IOException {
        try {
            return EchoServer.listen(group, address);
        } catch (BindException e) {
            throw new Refusal(e.getMessage() + " (--host and --port say where; port 0 is any free one)", e);
        }
    }

    private void awaitEnd(CountDownLatch end) throws InterruptedException {
        if (!untilInputEnds) {
            end.await();
            return;
        }
        Thread.ofPlatform().daemon().name("stdin").start(() -> {
            drain(System.in);
            end.countDown();
        });
        end.await();
    }

    private static void drain(InputStream input) {
        try {
            while (input.read() >= 0) {
                // only its end means something
            }
        } catch (IOException e) {
            // as good as its end
        }
    }

    private void printCounters(LoopGroup group) {
        PrintWriter err = spec.commandLine().getErr();
        for (int i = 0; i < group.loops().size(); i++) {
            err.println("loop " + i + ": " + group.loops().get(i).counters());
        }
        err.flush();
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
