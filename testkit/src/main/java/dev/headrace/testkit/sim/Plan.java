package dev.headrace.testkit.sim;

import dev.headrace.engine.Backend;
import dev.headrace.engine.EngineOptions;
import dev.headrace.testkit.sim.Act.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A run as data: what the engine is given, how handlers behave, and what everybody does when. A seed makes one; taking acts
 * away makes a smaller one.
 *
 * @param modes how the handler of each connection behaves
 * @param kernelBufferBytes what either side may send before the other reads
 * @param descriptorsMax how many descriptors there may be
 * @param shutDown whether it ends by a shutdown under traffic
 */
record Plan(
        long seed,
        EngineOptions options,
        List<Mode> modes,
        int kernelBufferBytes,
        int descriptorsMax,
        boolean shutDown,
        List<Act> acts) {
    /** How a handler behaves. */
    enum Mode {
        /** Writes back by reference what it receives. */
        ECHO,
        /** Keeps what it receives for a while, then writes it back; the lease ends on another thread. */
        RETAIN,
        /** Writes back a copy, as much as is taken, and goes on when there is room. */
        COPY,
        /** Throws now and then. */
        THROW,
        /** Closes while it is being called. */
        CLOSE
    }

    private static final int CONNECTIONS_MIN = 8;
    private static final int CONNECTIONS_MAX = 14;
    private static final int SPAN_NANOS = 60_000_000;

    Plan {
        modes = List.copyOf(modes);
        acts = List.copyOf(acts);
    }

    Plan with(List<Act> others) {
        return new Plan(seed, options, modes, kernelBufferBytes, descriptorsMax, shutDown, others);
    }

    static Plan of(long seed) {
        return new Draft(seed).finished();
    }

    /** A plan while it is being made. */
    private static final class Draft {
        private final long seed;
        private final Chance chance;
        private final List<Mode> modes = new ArrayList<>();
        private final List<Act> acts = new ArrayList<>();
        private final EngineOptions options;
        private final int kernelBufferBytes;
        /** What fills a buffer somewhere: amounts are in proportion to it, or small ones would need too many steps. */
        private final int unitBytes;

        Draft(long seed) {
            this.seed = seed;
            this.chance = new Chance(~seed, Set.of(), new Marks());
            this.options = options();
            this.kernelBufferBytes = one(512, 4096, 65_536);
            this.unitBytes =
                    Math.min(Math.min(options.receiveBufferBytes(), options.outputBufferBytes()), kernelBufferBytes);
        }

        Plan finished() {
            int connections = chance.between(CONNECTIONS_MIN, CONNECTIONS_MAX);
            for (int i = 0; i < connections; i++) {
                draft(i);
            }
            acts.sort(Comparator.comparingLong(Act::atNanos));
            // Below the number of connections some wait at the limit until others have ended.
            int descriptorsMax = one(chance.below(8) == 0 ? connections : 10_000, 10_000);
            return new Plan(seed, options, modes, kernelBufferBytes, descriptorsMax, chance.below(8) == 0, acts);
        }

        private void draft(int connection) {
            modes.add(one(Mode.ECHO, Mode.ECHO, Mode.ECHO, Mode.RETAIN, Mode.COPY, Mode.COPY, Mode.THROW, Mode.CLOSE));
            long at = chance.below(SPAN_NANOS / 4);
            acts.add(new Act(at, connection, chance.below(5) == 0 ? Kind.CONNECT_OUT : Kind.CONNECT, 0));
            for (int i = chance.between(20, 60); i > 0; i--) {
                at += chance.below(SPAN_NANOS / 40);
                acts.add(middle(at, connection));
            }
            switch (chance.below(7)) {
                case 0 -> acts.add(new Act(at, connection, Kind.REMOTE_RESETS, 0));
                case 1 -> acts.add(new Act(at, connection, Kind.ENGINE_CLOSES, 0));
                case 2, 3 -> abortedWhileItSends(at, connection);
                default -> acts.add(new Act(at, connection, Kind.REMOTE_FINISHES, 0));
            }
        }

        /** The remote end reads no more, so that an echo has gone in part when the engine aborts. */
        private void abortedWhileItSends(long at, int connection) {
            acts.add(new Act(at, connection, Kind.REMOTE_STALLS, 0));
            // More than both kernels hold for each other, where that does not take too many steps.
            int more = kernelBufferBytes <= 4096 ? 4 * kernelBufferBytes : 200 * unitBytes;
            acts.add(new Act(at + 1, connection, Kind.REMOTE_SENDS, Math.min(more, 100_000)));
            acts.add(new Act(at + chance.between(1_000_000, 5_000_000), connection, Kind.ENGINE_ABORTS, 0));
        }

        private Act middle(long at, int connection) {
            Kind kind = switch (chance.below(24)) {
                case 0, 2 -> Kind.REMOTE_STALLS;
                case 1 -> Kind.REMOTE_READS_ON;
                case 3 -> Kind.ENGINE_PAUSES;
                case 4, 5 -> Kind.ENGINE_READS_ON;
                default -> Kind.REMOTE_SENDS;
            };
            boolean rare = chance.below(120) == 0;
            if (rare) {
                kind = one(Kind.REMOTE_FINISHES, Kind.REMOTE_RESETS, Kind.ENGINE_SHUTS_OUTPUT, Kind.ENGINE_CLOSES);
            }
            return new Act(at, connection, kind, kind == Kind.REMOTE_SENDS ? size() : 0);
        }

        private int size() {
            return switch (chance.below(16)) {
                case 0 -> chance.between(1, Math.min(30_000, 100 * unitBytes));
                case 1, 2 -> chance.between(1, 8 * unitBytes);
                default -> chance.between(1, Math.min(100, 2 * unitBytes));
            };
        }

        private EngineOptions options() {
            Backend backend = Backend.values()[(int) Long.remainderUnsigned(seed, Backend.values().length)];
            int submissions = one(4, 8, 64);
            int low = one(0, 64, 1024);
            return EngineOptions.of(backend)
                    .withMaskedRungs(masked(backend))
                    .withRing(submissions, submissions * one(2, 4), one(1, 2, 8, 64))
                    .withReceiveBuffers(one(2, 3, 8, 64), one(16, 64, 512, 4096))
                    .withOutputBuffers(one(2, 8, 64), one(32, 512, 4096))
                    .withWatermarks(low, low + one(64, 1024, 16_384))
                    .withBuffersHeldMax(one(1, 2, 16))
                    .withLinger(Duration.ofMillis(one(20, 200, 2_000)))
                    .withConnectTimeout(Duration.ofMillis(one(50, 3_000)));
        }

        private Set<String> masked(Backend backend) {
            Set<String> masked = new HashSet<>();
            for (String rung : backend.maskableRungs()) {
                if (chance.below(4) == 0) {
                    masked.add(rung);
                }
            }
            return masked;
        }

        @SafeVarargs
        private <T> T one(T... values) {
            return values[chance.below(values.length)];
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("seed ").append(seed).append(": ").append(options.backend().id());
        if (!options.maskedRungs().isEmpty()) {
            text.append(" without ").append(options.maskedRungs());
        }
        text.append("%nring %d/%d, %d published; buffers to receive %d x %d B, to send %d x %d B, %d held at most%n"
                .formatted(
                        options.submissionEntries(),
                        options.completionEntries(),
                        options.buffersPublished(),
                        options.receiveBuffers(),
                        options.receiveBufferBytes(),
                        options.outputBuffers(),
                        options.outputBufferBytes(),
                        options.buffersHeldMax()));
        text.append("watermarks %d and %d B, linger %d ms, connect within %d ms; sockets of %d B; %d descriptors%n"
                .formatted(
                        options.lowWatermarkBytes(),
                        options.highWatermarkBytes(),
                        options.linger().toMillis(),
                        options.connectTimeout().toMillis(),
                        kernelBufferBytes,
                        descriptorsMax));
        for (int i = 0; i < modes.size(); i++) {
            int connection = i;
            if (acts.stream().anyMatch(act -> act.connection() == connection)) {
                text.append("connection ")
                        .append(i)
                        .append(": ")
                        .append(modes.get(i))
                        .append('\n');
            }
        }
        acts.forEach(act -> text.append(act).append('\n'));
        if (shutDown) {
            text.append("then a shutdown under traffic\n");
        }
        return text.toString();
    }
}
