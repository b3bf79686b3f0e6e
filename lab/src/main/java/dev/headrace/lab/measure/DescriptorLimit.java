package dev.headrace.lab.measure;

import dev.headrace.abi.linux.Resource;
import dev.headrace.abi.linux.Rlimit;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.lab.Refusal;
import java.lang.foreign.Arena;

/**
 * Knows how many descriptors this process may have open. The Java runtime has raised the soft limit to the hard one at
 * start, and children inherit it.
 *
 * <p>Thread: any; no state.
 */
public final class DescriptorLimit {
    /** What a process needs besides its connections: class path, libraries, rings, listeners, standard streams. */
    public static final int RESERVE = 100;

    private static final int SELF = 0;

    private DescriptorLimit() {}

    /** The present limit. */
    public static long descriptors() {
        SystemCalls calls = new SystemCalls();
        try (Arena arena = Arena.ofConfined()) {
            long limit = arena.allocate(Rlimit.SIZE, Long.BYTES).address();
            int result = calls.prlimit(SELF, Resource.RLIMIT_NOFILE, 0, limit);
            long current = Rlimit.rlimCur(limit);
            return result < 0 || current == Resource.RLIM_INFINITY ? Long.MAX_VALUE : current;
        }
    }

    /**
     * Checks that one process can hold so many connections.
     *
     * @throws Refusal with the limit, the need, and how to raise it
     */
    public static void require(int connections) {
        require(connections, descriptors());
    }

    static void require(int connections, long limit) {
        long needed = (long) connections + RESERVE;
        if (needed > limit) {
            throw new Refusal(connections + " connections need " + needed + " descriptors, and the limit is " + limit
                    + ": raise it (ulimit -n " + needed + ", or LimitNOFILE= for a service) or ask for fewer");
        }
    }
}
