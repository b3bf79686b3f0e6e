package dev.headrace.engine;

import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.readiness.EpollBackend;
import dev.headrace.engine.socket.Sockets;
import dev.headrace.engine.uring.UringBackend;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kernel interfaces the engine runs on, best first. */
public enum Backend {
    /** io_uring: multishot accept and receive into provided buffers (Linux 5.19, better from 6.1 on). */
    IO_URING("io_uring", "uring") {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "io_uring is an interface of Linux" : UringBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() throws IOException {
            return UringBackend.capabilities();
        }

        @Override
        boolean nonBlockingSockets() {
            return false;
        }

        @Override
        Driver open(SystemCalls calls, Sockets sockets, BufferPool pool, Counters counters, EngineOptions options)
                throws IOException {
            return UringBackend.open(
                    calls,
                    sockets,
                    pool,
                    counters,
                    options.submissionEntries(),
                    options.completionEntries(),
                    Math.min(pool.count(), options.buffersPublished()));
        }
    },

    /** Level-triggered epoll. */
    EPOLL("epoll-lt", "epoll") {
        @Override
        public @Nullable String unavailableBecause() {
            return notLinux() ? "epoll is an interface of Linux" : EpollBackend.unavailableBecause();
        }

        @Override
        public Capabilities capabilities() {
            return EpollBackend.capabilities();
        }

        @Override
        boolean nonBlockingSockets() {
            return true;
        }

        @Override
        Driver open(SystemCalls calls, Sockets sockets, BufferPool pool, Counters counters, EngineOptions options)
                throws IOException {
            return EpollBackend.open(calls, sockets, pool, counters);
        }
    };

    private final String id;
    private final String alias;

    Backend(String id, String alias) {
        this.id = id;
        this.alias = alias;
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

    /** Whether its sockets must fail with EAGAIN instead of waiting. */
    abstract boolean nonBlockingSockets();

    abstract Driver open(SystemCalls calls, Sockets sockets, BufferPool pool, Counters counters, EngineOptions options)
            throws IOException;

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
            String because = backend.unavailableBecause();
            if (because == null) {
                String reason =
                        rejected.isEmpty() ? "the first choice, and it works here" : "fallback: " + inWords(rejected);
                return new Choice(backend, reason, Map.copyOf(rejected));
            }
            rejected.put(backend, because);
        }
        throw new IllegalStateException("no backend works here: " + inWords(rejected));
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
