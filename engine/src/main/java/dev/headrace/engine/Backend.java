package dev.headrace.engine;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.hybrid.HybridBackend;
import dev.headrace.engine.readiness.EpollBackend;
import dev.headrace.engine.readiness.PollBackend;
import dev.headrace.engine.readiness.SelectBackend;
import dev.headrace.engine.uring.UringBackend;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kernel interfaces the engine runs on, in the order in which they are tried. */
public enum Backend {
    /** io_uring: multishot accept and receive into provided buffers (Linux 5.19, better from 6.1 on). */
    IO_URING("io_uring", "uring", true) {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "io_uring is an interface of Linux" : UringBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() throws IOException {
            return UringBackend.capabilities();
        }

        @Override
        public List<String> maskableRungs() {
            return UringBackend.rungs();
        }

        @Override
        boolean nonBlockingSockets() {
            return false;
        }

        @Override
        boolean nonBlockingListeners() {
            return false;
        }

        @Override
        Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException {
            return UringBackend.open(
                    world.rings(),
                    surroundings,
                    options.maskedRungs(),
                    options.submissionEntries(),
                    options.completionEntries(),
                    Math.min(surroundings.pool().count(), options.buffersPublished()));
        }
    },

    /** Level-triggered epoll. */
    EPOLL("epoll-lt", "epoll", true) {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "epoll is an interface of Linux" : EpollBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() {
            return EpollBackend.capabilities(false);
        }

        @Override
        Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException {
            return EpollBackend.open(world.pollers(), surroundings, false);
        }
    },

    /** Edge-triggered epoll. */
    EPOLL_ET("epoll-et", "epoll-edge", false) {
        @Override
        public @Nullable String unavailableBecause() {
            return EPOLL.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() {
            return EpollBackend.capabilities(true);
        }

        @Override
        Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException {
            return EpollBackend.open(world.pollers(), surroundings, true);
        }
    },

    /** Accepts on io_uring, data on level-triggered epoll: the first step from epoll to io_uring. */
    HYBRID("hybrid", "epoll+io_uring", false) {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "epoll and io_uring are interfaces of Linux" : HybridBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() throws IOException {
            return HybridBackend.capabilities();
        }

        @Override
        public List<String> maskableRungs() {
            return HybridBackend.rungs();
        }

        @Override
        boolean nonBlockingListeners() {
            return false;
        }

        @Override
        Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException {
            return HybridBackend.open(world.rings(), world.pollers(), surroundings, options.maskedRungs());
        }
    },

    /** poll(2): each wait costs time in proportion to the connections. */
    POLL("poll", "ppoll", true) {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "ppoll is an interface of Linux" : PollBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() {
            return PollBackend.capabilities();
        }

        @Override
        Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException {
            return PollBackend.open(world.pollers(), surroundings);
        }
    },

    /** select(2): as poll, and for descriptors below 1024 (FD_SETSIZE) alone. */
    SELECT("select", "pselect", true) {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "pselect6 is an interface of Linux" : SelectBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() {
            return SelectBackend.capabilities();
        }

        @Override
        Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException {
            return SelectBackend.open(world.pollers(), surroundings);
        }
    };

    /** The system property that names the backend, unless the program does. */
    public static final String PROPERTY = "headrace.backend";
    /** The environment variable that names the backend, unless the program or {@link #PROPERTY} does. */
    public static final String VARIABLE = "HEADRACE_BACKEND";

    private final String id;
    private final String alias;
    /** Whether it is among those to fall back to; the others are used when they are asked for. */
    private final boolean automatic;

    Backend(String id, String alias, boolean automatic) {
        this.id = id;
        this.alias = alias;
        this.automatic = automatic;
    }

    /** The name in options, reports and documentation. */
    public String id() {
        return id;
    }

    /**
     * The backend of that name or alias.
     *
     * @throws IllegalArgumentException naming those there are
     */
    public static Backend named(String name) {
        for (Backend backend : values()) {
            if (backend.id.equals(name) || backend.alias.equals(name)) {
                return backend;
            }
        }
        throw new IllegalArgumentException("unknown backend '" + name + "': there are " + String.join(", ", ids()));
    }

    /** The names of all backends, best first. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Backend::id).toList();
    }

    /** Null when the backend works here, found by trying; otherwise the cause and the remedy on one line. */
    public abstract @Nullable String unavailableBecause();

    /**
     * What the backend would use on this kernel, rung by rung.
     *
     * @throws IOException with the reason when it is not available
     */
    public abstract Capabilities capabilities() throws IOException;

    /** The optional features that {@link EngineOptions#withMaskedRungs} can leave unused. */
    public List<String> maskableRungs() {
        return List.of();
    }

    /** Whether its connections' sockets must fail with EAGAIN instead of waiting. */
    boolean nonBlockingSockets() {
        return true;
    }

    /** Whether its listening sockets must fail with EAGAIN instead of waiting. */
    boolean nonBlockingListeners() {
        return true;
    }

    abstract Driver open(World world, Surroundings surroundings, EngineOptions options) throws IOException;

    /**
     * The choice for this machine.
     *
     * @param backend the first that works
     * @param reason why it and no other, on one line
     * @param rejected the better ones that do not work, with their reasons
     */
    public record Choice(Backend backend, String reason, Map<Backend, String> rejected) {}

    /**
     * Chooses the best backend that works here.
     *
     * @throws IllegalStateException when none does, with all reasons
     */
    public static Choice auto() {
        Map<Backend, String> rejected = new EnumMap<>(Backend.class);
        for (Backend backend : values()) {
            if (!backend.automatic) {
                continue;
            }
            String because = backend.unavailableBecause();
            if (because == null) {
                String reason =
                        rejected.isEmpty() ? "the first choice, and it works here" : "fallback: " + inWords(rejected);
                if (!rejected.isEmpty()) {
                    LoopLog.infoOnce("backend " + backend.id + " (" + reason + ")");
                }
                return new Choice(backend, reason, Map.copyOf(rejected));
            }
            rejected.put(backend, because);
        }
        throw new IllegalStateException("no backend works here: " + inWords(rejected));
    }

    /**
     * The choice of whoever started the program: the system property {@value #PROPERTY}, or else the environment variable
     * {@value #VARIABLE}, or else {@link #auto}. A backend that is named is not checked: opening it fails with the reason
     * when it does not work here, and nothing falls back unseen.
     *
     * @throws IllegalArgumentException when there is no backend of that name, naming those there are
     * @throws IllegalStateException when none is named and none works
     */
    public static Choice configured() {
        return configured(System.getProperty(PROPERTY), System.getenv(VARIABLE));
    }

    static Choice configured(@Nullable String property, @Nullable String variable) {
        if (property != null && !property.isBlank()) {
            return asked(property, "-D" + PROPERTY);
        }
        if (variable != null && !variable.isBlank()) {
            return asked(variable, VARIABLE);
        }
        return auto();
    }

    private static Choice asked(String name, String by) {
        if (name.strip().equals("auto")) {
            return auto();
        }
        try {
            return new Choice(named(name.strip()), "asked for by " + by, Map.of());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(by + ": " + e.getMessage(), e);
        }
    }

    private static String inWords(Map<Backend, String> rejected) {
        StringBuilder words = new StringBuilder();
        rejected.forEach((backend, because) -> words.append(words.isEmpty() ? "" : "; ")
                .append(backend.id)
                .append(": ")
                .append(because));
        return words.toString();
    }

    private static boolean notLinux() {
        return !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    }
}
