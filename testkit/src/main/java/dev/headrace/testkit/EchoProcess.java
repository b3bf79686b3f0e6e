package dev.headrace.testkit;

import dev.headrace.abi.linux.Clock;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.Resource;
import dev.headrace.abi.linux.Rlimit;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.Backend;
import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.Loop;
import dev.headrace.engine.LoopGroup;
import dev.headrace.engine.counter.Counter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An echo server in a process of its own, told what to do by lines on its standard input: {@code limit N},
 * {@code listen}, {@code counter NAME}, {@code cpu}, {@code heap}, {@code memory}, {@code renew}, {@code shutdown}.
 */
public final class EchoProcess {
    private final EngineOptions options;
    private LoopGroup group;

    private EchoProcess(EngineOptions options) throws IOException {
        this.options = options;
        this.group = LoopGroup.open(options);
    }

    /** The arguments are the name of the backend and those of the masked rungs, with commas between them. */
    public static void main(String[] arguments) throws IOException {
        Set<String> masked = Arrays.stream(arguments[1].split(",", -1))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
        EchoProcess process =
                new EchoProcess(EngineOptions.of(Backend.named(arguments[0])).withMaskedRungs(masked));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            System.out.println(words[0] + " " + process.carryOut(words));
        }
        // The parent is gone.
        System.exit(0);
    }

    private String carryOut(String[] words) throws IOException {
        return switch (words[0]) {
            case "limit" -> limit(Integer.parseInt(words[1]));
            case "listen" -> listen();
            case "counter" -> Long.toString(count(Counter.valueOf(words[1])));
            case "cpu" -> Long.toString(cpuNanos());
            case "heap" -> Long.toString(heapUsedBytes());
            case "memory" -> memory();
            case "renew" -> renew();
            case "shutdown" -> Boolean.toString(group.shutdown(Duration.ofSeconds(2)));
            default -> throw new IllegalArgumentException(String.join(" ", words));
        };
    }

    private String listen() throws IOException {
        Listener listener =
                group.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), _ -> Connection::write);
        return Integer.toString(listener.address().getPort());
    }

    /** Starts afresh with warm code: nothing that the first group's tables have grown to is left. */
    private String renew() throws IOException {
        group.shutdown(Duration.ofSeconds(2));
        group = LoopGroup.open(options);
        return listen();
    }

    private long count(Counter counter) {
        return group.loops().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }

    /** The CPU time of all threads, as the scheduler counts it. */
    private static long cpuNanos() {
        try (Arena arena = Arena.ofConfined()) {
            long time = arena.allocate(KernelTimespec.SIZE, 8).address();
            new SystemCalls().clockGettime(Clock.CLOCK_PROCESS_CPUTIME_ID, time);
            return Duration.ofSeconds(KernelTimespec.tvSec(time), KernelTimespec.tvNsec(time))
                    .toNanos();
        }
    }

    private static long heapUsedBytes() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return heap.getUsed();
    }

    /** Heap after collection, bytes mapped for buffers, resident anonymous bytes of the process. */
    private String memory() throws IOException {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        long mapped = group.loops().stream().mapToLong(Loop::bufferBytesMapped).sum();
        return heapUsedBytes() + " " + mapped + " " + residentAnonymousBytes();
    }

    private static long residentAnonymousBytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line =
                    lines.filter(l -> l.startsWith("RssAnon:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
    }

    /** Sets the soft limit of descriptors; tells how many more can be opened. */
    private static String limit(int descriptors) throws IOException {
        List<Path> seen;
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            seen = entries.toList();
        }
        // The listing had descriptors of its own.
        long open = seen.stream()
                .filter(path -> Files.exists(path, LinkOption.NOFOLLOW_LINKS))
                .count();
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls();
            long limit = arena.allocate(Rlimit.SIZE, 8).address();
            calls.prlimit(0, Resource.RLIMIT_NOFILE, 0, limit);
            Rlimit.rlimCur(limit, descriptors);
            int result = calls.prlimit(0, Resource.RLIMIT_NOFILE, limit, 0);
            if (result < 0) {
                throw new IOException("prlimit: " + result);
            }
        }
        return Long.toString(descriptors - open);
    }
}
