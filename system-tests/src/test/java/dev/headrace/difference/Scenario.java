package dev.headrace.difference;

import dev.headrace.difference.Action.Kind;
import dev.headrace.engine.EngineOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A story made up from a seed: sizes of pools and watermarks, and what clients and server do. Only what has one outcome is
 * made up: nothing in it is a matter of who comes first.
 */
final class Scenario {
    private static final int ACTIONS_MIN = 10;
    private static final int ACTIONS_MAX = 28;
    private static final int CONNECTIONS_MAX = 6;

    /** What is known about a connection while the story is made up. */
    private static final class Sketch {
        private final int index;
        private final int loop;
        private final boolean echoes;
        private boolean paused;
        private boolean clientFinished;
        private boolean serverFinished;
        private boolean gone;

        Sketch(int index, int loop, boolean echoes) {
            this.index = index;
            this.loop = loop;
            this.echoes = echoes;
        }

        Set<Kind> possible() {
            Set<Kind> kinds = EnumSet.of(Kind.CLOSE, Kind.ABORT, paused ? Kind.RESUME : Kind.PAUSE);
            if (!clientFinished) {
                kinds.addAll(EnumSet.of(Kind.SEND, Kind.FINISH, Kind.CLOSE_EARLY));
                kinds.addAll(paused ? whilePaused() : whileReading());
            }
            if (!echoes && !serverFinished) {
                kinds.addAll(EnumSet.of(Kind.WRITE, Kind.WRITE_PIECES, Kind.FINISH_OUTPUT, Kind.STALL));
                kinds.addAll(EnumSet.of(Kind.STALL_AND_ABORT, Kind.STALL_AND_CLOSE));
            }
            return kinds;
        }

        /** An echo may meet the reset before all that waits is received. */
        private Set<Kind> whilePaused() {
            return echoes ? Set.of() : EnumSet.of(Kind.RESET_IN_PAUSE);
        }

        private Set<Kind> whileReading() {
            Set<Kind> kinds = EnumSet.of(Kind.RESET, Kind.SEND_AND_FINISH, Kind.ALL_SEND);
            kinds.addAll(EnumSet.of(Kind.THROW, Kind.STARVE));
            if (!echoes) {
                // As in the pause.
                kinds.add(Kind.SEND_AND_RESET);
            }
            if (!echoes && !serverFinished) {
                kinds.addAll(EnumSet.of(Kind.LEAVE_UNREAD, Kind.LEAVE_WRITER, Kind.STALL_AND_RESET));
            }
            return kinds;
        }

        void happened(Kind kind) {
            switch (kind) {
                case PAUSE -> paused = true;
                case RESUME -> {
                    paused = false;
                    gone = echoes && clientFinished;
                }
                case FINISH, SEND_AND_FINISH -> {
                    clientFinished = true;
                    gone = echoes && !paused;
                }
                case FINISH_OUTPUT -> serverFinished = true;
                case SEND, ALL_SEND, WRITE, WRITE_PIECES, STARVE, STALL -> {}
                default -> gone = true;
            }
        }
    }

    private final long seed;
    private final SplittableRandom random;
    private final int loops;
    private final int buffers;
    private final int bufferBytes;
    private final int outputBuffers;
    private final int highBytes;
    private final int heldMax;
    private final List<Action> actions = new ArrayList<>();
    private final List<Sketch> sketches = new ArrayList<>();
    private int placed;

    Scenario(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.loops = oneOf(1, 1, 1, 2);
        this.buffers = oneOf(4, 8, 64);
        this.bufferBytes = oneOf(256, 512, 4096);
        this.outputBuffers = oneOf(2, 16, 256);
        this.highBytes = oneOf(2_000, 10_000, 100_000);
        this.heldMax = oneOf(1, 3, 64);
        int count = random.nextInt(ACTIONS_MIN, ACTIONS_MAX);
        while (actions.size() < count) {
            makeUp();
        }
    }

    private int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    private void makeUp() {
        List<Sketch> present = sketches.stream().filter(sketch -> !sketch.gone).toList();
        boolean room = sketches.size() < CONNECTIONS_MAX * 2 && present.size() < CONNECTIONS_MAX;
        if (present.isEmpty() || room && random.nextInt(4) == 0) {
            begin();
            return;
        }
        Sketch sketch = present.get(random.nextInt(present.size()));
        List<Kind> kinds = List.copyOf(sketch.possible());
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        // What ends a connection is rarer than what does not, and what takes long is rarest.
        boolean rare = ends(kind) && random.nextInt(3) > 0 || stalls(kind) && random.nextInt(4) > 0;
        List<Integer> others = others(kind, sketch);
        if (!rare && !(kind == Kind.STARVE && others.isEmpty())) {
            actions.add(new Action(kind, sketch.index, bytes(kind, sketch), others));
            sketch.happened(kind);
        }
    }

    private void begin() {
        int loop = placed++ % loops;
        int bytes = 0;
        Kind kind = switch (random.nextInt(10)) {
            case 0 -> Kind.REACH_NOBODY;
            case 1, 2 -> Kind.REACH;
            case 3, 4, 5 -> Kind.CONNECT_TO_ECHO;
            default -> Kind.CONNECT_TO_KEEP;
        };
        actions.add(new Action(kind, sketches.size(), bytes, List.of()));
        if (kind != Kind.REACH_NOBODY) {
            sketches.add(new Sketch(sketches.size(), loop, kind != Kind.CONNECT_TO_KEEP));
        }
    }

    private static boolean ends(Kind kind) {
        Sketch probe = new Sketch(0, 0, true);
        probe.happened(kind);
        return probe.gone;
    }

    private static boolean stalls(Kind kind) {
        return kind.name().startsWith("STALL");
    }

    private List<Integer> others(Kind kind, Sketch sketch) {
        if (kind != Kind.ALL_SEND && (kind != Kind.STARVE || sketch.echoes)) {
            return List.of();
        }
        return sketches.stream()
                .filter(other -> other != sketch && !other.gone && !other.paused && !other.clientFinished)
                .filter(other -> kind == Kind.ALL_SEND || other.loop == sketch.loop)
                .map(other -> other.index)
                .limit(kind == Kind.ALL_SEND ? CONNECTIONS_MAX : 1)
                .toList();
    }

    private int bytes(Kind kind, Sketch sketch) {
        return switch (kind) {
            // The kernel holds what is not read, up to a limit.
            case SEND -> sketch.paused ? random.nextInt(1, 4_000) : oneOf(1, 100, 5_000, 70_000, 300_000);
            case ALL_SEND -> oneOf(1, 300, 9_000);
            case SEND_AND_FINISH, SEND_AND_RESET, CLOSE_EARLY, STARVE -> random.nextInt(1, 6_000);
            case WRITE -> oneOf(10, 1_000, 9_000, 32_000);
            case WRITE_PIECES -> random.nextInt(2, 40);
            case LEAVE_UNREAD -> random.nextInt(2, 1_000);
            default -> 0;
        };
    }

    List<Action> actions() {
        return List.copyOf(actions);
    }

    EngineOptions options(EngineOptions base) {
        return base.withLoops(loops)
                .withReceiveBuffers(buffers, bufferBytes)
                .withOutputBuffers(outputBuffers, 4096)
                .withWatermarks(highBytes / 4, highBytes)
                .withBuffersHeldMax(heldMax)
                .withRing(64, 256, 64)
                .withLinger(Duration.ofSeconds(20));
    }

    int buffers() {
        return buffers;
    }

    int bufferBytes() {
        return bufferBytes;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("seed " + seed + ": " + loops + " loops, " + buffers + " buffers of "
                + bufferBytes + " B and " + outputBuffers + " for output, high watermark " + highBytes
                + ", held at most "
                + heldMax);
        for (int i = 0; i < actions.size(); i++) {
            text.append('\n').append(i).append(' ').append(actions.get(i));
        }
        return text.toString();
    }
}
