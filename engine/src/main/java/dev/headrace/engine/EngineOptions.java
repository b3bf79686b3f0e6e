package dev.headrace.engine;

import dev.headrace.engine.buffer.BufferPool;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a {@link LoopGroup} is built. Immutable; each {@code with} method makes a changed copy.
 *
 * @param backend the kernel interface
 * @param loops the number of loops, each a thread
 * @param threadName prefix of the loops' thread names
 * @param receiveBuffers slices per loop to receive into, at most 65536
 * @param receiveBufferBytes size of each
 * @param outputBuffers slices per loop for written bytes that wait to be sent
 * @param outputBufferBytes size of each
 * @param lowWatermarkBytes pending output of a connection at which {@code drained} is called and reading goes on
 * @param highWatermarkBytes pending output of a connection above which writes are cut short and reading stops
 * @param buffersHeldMax receive buffers that one connection may hold, pending as output or input, before its reading stops
 * @param linger how long a closed connection may take to drain its output without progress, and then to see the peer's
 *     end
 * @param backlog connections that may wait to be accepted; the kernel caps it by net.core.somaxconn
 * @param shutdownGrace how long {@link LoopGroup#close} waits for connections to end
 * @param submissionEntries io_uring: submissions per entry to the kernel, a power of two
 * @param completionEntries io_uring: completions per turn, a power of two
 * @param buffersPublished io_uring: receive buffers that the kernel may hold at a time
 * @param maskedRungs optional features of the kernel interface that are left unused although they work here, by name
 * @param listeners which loops accept
 * @param cpus the CPUs the loops are pinned to, the first loop to the first and around; empty leaves them to the scheduler
 * @param connectTimeout after how long an attempt to connect is given up
 * @param socketOptions what is set on each connection's socket
 */
public record EngineOptions(
        Backend backend,
        int loops,
        String threadName,
        int receiveBuffers,
        int receiveBufferBytes,
        int outputBuffers,
        int outputBufferBytes,
        int lowWatermarkBytes,
        int highWatermarkBytes,
        int buffersHeldMax,
        Duration linger,
        int backlog,
        Duration shutdownGrace,
        int submissionEntries,
        int completionEntries,
        int buffersPublished,
        Set<String> maskedRungs,
        ListenerPlacement listeners,
        List<Integer> cpus,
        Duration connectTimeout,
        SocketOptions socketOptions) {

    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    public EngineOptions {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(threadName, "threadName");
        Objects.requireNonNull(linger, "linger");
        Objects.requireNonNull(shutdownGrace, "shutdownGrace");
        Objects.requireNonNull(listeners, "listeners");
        Objects.requireNonNull(connectTimeout, "connectTimeout");
        Objects.requireNonNull(socketOptions, "socketOptions");
        maskedRungs = Set.copyOf(maskedRungs);
        for (String rung : maskedRungs) {
            if (!backend.maskableRungs().contains(rung)) {
                throw new IllegalArgumentException(
                        backend.id() + " has no rung '" + rung + "' that can be masked: there "
                                + (backend.maskableRungs().isEmpty()
                                        ? "is none"
                                        : "are " + String.join(", ", backend.maskableRungs())));
            }
        }
        cpus = List.copyOf(cpus);
        positive("loops", loops);
        buffers("receiveBuffers", receiveBuffers);
        positive("receiveBufferBytes", receiveBufferBytes);
        buffers("outputBuffers", outputBuffers);
        positive("outputBufferBytes", outputBufferBytes);
        positive("highWatermarkBytes", highWatermarkBytes);
        positive("buffersHeldMax", buffersHeldMax);
        positive("backlog", backlog);
        if (lowWatermarkBytes < 0 || lowWatermarkBytes >= highWatermarkBytes) {
            throw new IllegalArgumentException("lowWatermarkBytes must be in 0.." + (highWatermarkBytes - 1)
                    + ", below highWatermarkBytes, not " + lowWatermarkBytes);
        }
        powerOfTwo("submissionEntries", submissionEntries);
        powerOfTwo("completionEntries", completionEntries);
        powerOfTwo("buffersPublished", buffersPublished);
        if (completionEntries < submissionEntries) {
            throw new IllegalArgumentException("completionEntries must not be fewer than the " + submissionEntries
                    + " submissionEntries, not " + completionEntries);
        }
        if (linger.isNegative() || shutdownGrace.isNegative()) {
            throw new IllegalArgumentException("linger and shutdownGrace must not be negative");
        }
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("connectTimeout must be positive, not " + connectTimeout);
        }
        for (int cpu : cpus) {
            if (cpu < 0) {
                throw new IllegalArgumentException("a CPU is numbered from 0 on, not " + cpu);
            }
        }
    }

    /** The backend that {@link Backend#configured} chooses, one loop, sizes for many connections with small messages. */
    public static EngineOptions defaults() {
        return of(Backend.configured().backend());
    }

    /** The defaults on a given backend. */
    public static EngineOptions of(Backend backend) {
        return new EngineOptions(
                backend,
                1,
                "headrace-loop",
                1024,
                16 << 10,
                4096,
                4 << 10,
                64 << 10,
                1 << 20,
                64,
                Duration.ofSeconds(5),
                4096,
                Duration.ofSeconds(5),
                256,
                2048,
                256,
                Set.of(),
                ListenerPlacement.SHARED,
                List.of(),
                Duration.ofSeconds(30),
                SocketOptions.defaults());
    }

    public EngineOptions withBackend(Backend value) {
        return change(draft -> draft.backend = value);
    }

    public EngineOptions withLoops(int value) {
        return change(draft -> draft.loops = value);
    }

    public EngineOptions withThreadName(String value) {
        return change(draft -> draft.threadName = value);
    }

    public EngineOptions withReceiveBuffers(int count, int sizeBytes) {
        return change(draft -> {
            draft.receiveBuffers = count;
            draft.receiveBufferBytes = sizeBytes;
        });
    }

    public EngineOptions withOutputBuffers(int count, int sizeBytes) {
        return change(draft -> {
            draft.outputBuffers = count;
            draft.outputBufferBytes = sizeBytes;
        });
    }

    public EngineOptions withWatermarks(int lowBytes, int highBytes) {
        return change(draft -> {
            draft.lowWatermarkBytes = lowBytes;
            draft.highWatermarkBytes = highBytes;
        });
    }

    public EngineOptions withBuffersHeldMax(int value) {
        return change(draft -> draft.buffersHeldMax = value);
    }

    public EngineOptions withLinger(Duration value) {
        return change(draft -> draft.linger = value);
    }

    public EngineOptions withBacklog(int value) {
        return change(draft -> draft.backlog = value);
    }

    public EngineOptions withShutdownGrace(Duration value) {
        return change(draft -> draft.shutdownGrace = value);
    }

    /** Sizes of the io_uring queues, and how many buffers of the pool its kernel side may hold. */
    public EngineOptions withRing(int submissions, int completions, int published) {
        return change(draft -> {
            draft.submissionEntries = submissions;
            draft.completionEntries = completions;
            draft.buffersPublished = published;
        });
    }

    /** Leaves optional features of the kernel interface unused: to see what each is worth, or to avoid a faulty one. */
    public EngineOptions withMaskedRungs(Set<String> names) {
        return change(draft -> draft.maskedRungs = names);
    }

    public EngineOptions withListeners(ListenerPlacement value) {
        return change(draft -> draft.listeners = value);
    }

    public EngineOptions withCpus(List<Integer> value) {
        return change(draft -> draft.cpus = value);
    }

    public EngineOptions withConnectTimeout(Duration value) {
        return change(draft -> draft.connectTimeout = value);
    }

    public EngineOptions withSocketOptions(SocketOptions value) {
        return change(draft -> draft.socketOptions = value);
    }

    private EngineOptions change(Consumer<Draft> changes) {
        Draft draft = new Draft(this);
        changes.accept(draft);
        return draft.finished();
    }

    /** The components while they are being changed; the finished record checks them. */
    private static final class Draft {
        private Backend backend;
        private int loops;
        private String threadName;
        private int receiveBuffers;
        private int receiveBufferBytes;
        private int outputBuffers;
        private int outputBufferBytes;
        private int lowWatermarkBytes;
        private int highWatermarkBytes;
        private int buffersHeldMax;
        private Duration linger;
        private int backlog;
        private Duration shutdownGrace;
        private int submissionEntries;
        private int completionEntries;
        private int buffersPublished;
        private Set<String> maskedRungs;
        private ListenerPlacement listeners;
        private List<Integer> cpus;
        private Duration connectTimeout;
        private SocketOptions socketOptions;

        Draft(EngineOptions from) {
            backend = from.backend;
            loops = from.loops;
            threadName = from.threadName;
            receiveBuffers = from.receiveBuffers;
            receiveBufferBytes = from.receiveBufferBytes;
            outputBuffers = from.outputBuffers;
            outputBufferBytes = from.outputBufferBytes;
            lowWatermarkBytes = from.lowWatermarkBytes;
            highWatermarkBytes = from.highWatermarkBytes;
            buffersHeldMax = from.buffersHeldMax;
            linger = from.linger;
            backlog = from.backlog;
            shutdownGrace = from.shutdownGrace;
            submissionEntries = from.submissionEntries;
            completionEntries = from.completionEntries;
            buffersPublished = from.buffersPublished;
            maskedRungs = from.maskedRungs;
            listeners = from.listeners;
            cpus = from.cpus;
            connectTimeout = from.connectTimeout;
            socketOptions = from.socketOptions;
        }

        EngineOptions finished() {
            return new EngineOptions(
                    backend,
                    loops,
                    threadName,
                    receiveBuffers,
                    receiveBufferBytes,
                    outputBuffers,
                    outputBufferBytes,
                    lowWatermarkBytes,
                    highWatermarkBytes,
                    buffersHeldMax,
                    linger,
                    backlog,
                    shutdownGrace,
                    submissionEntries,
                    completionEntries,
                    buffersPublished,
                    maskedRungs,
                    listeners,
                    cpus,
                    connectTimeout,
                    socketOptions);
        }
    }

    /** The linger time in nanoseconds. */
    long lingerNanos() {
        return nanos(linger);
    }

    /** A duration too long for a number of nanoseconds is as good as for ever. */
    static long nanos(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    }

    private static void buffers(String name, int value) {
        if (value < 1 || value > BufferPool.COUNT_MAX) {
            throw new IllegalArgumentException(name + " must be in 1.." + BufferPool.COUNT_MAX + ", not " + value);
        }
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }

    private static void powerOfTwo(String name, int value) {
        if (value < 1 || Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(name + " must be a power of two, not " + value);
        }
    }
}
