package dev.headrace.engine.uring;

import dev.headrace.abi.linux.SystemCalls;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The rings of the running kernel. */
public final class LinuxRings implements Rings {
    /** What was found, by masked rungs: a running kernel does not change, and each climb costs rings. */
    private static final Map<Set<String>, Rungs> CLIMBED = new ConcurrentHashMap<>();

    private final SystemCalls calls;

    public LinuxRings(SystemCalls calls) {
        this.calls = calls;
    }

    @Override
    public Rungs climb(Set<String> masked) throws RingRefusedException {
        Rungs known = CLIMBED.get(masked);
        if (known != null) {
            return known;
        }
        Rungs rungs = Ladder.climb(calls, masked);
        CLIMBED.put(Set.copyOf(masked), rungs);
        return rungs;
    }

    @Override
    public Ring open(Rungs rungs, int submissionEntries, int completionEntries) throws RingRefusedException {
        return Ladder.build(calls, rungs, submissionEntries, completionEntries);
    }
}
