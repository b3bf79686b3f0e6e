package dev.headrace.engine;

import dev.headrace.abi.linux.CpuSet;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.BitSet;
import java.util.stream.Collectors;

/**
 * Keeps a thread on one CPU.
 *
 * <p>Thread: the one to be pinned. Owns: nothing.
 */
final class Pinning {
    private static final int CPUS = CpuSet.SIZE * Byte.SIZE;
    private static final int CALLER = 0;

    private Pinning() {}

    /**
     * Pins the calling thread. What it allocates from here on is memory near that CPU.
     *
     * @throws IOException naming the CPU and those that are allowed
     */
    static void pin(int cpu) throws IOException {
        SystemCalls calls = new SystemCalls();
        try (Arena arena = Arena.ofConfined()) {
            long set = arena.allocate(CpuSet.SIZE, Long.BYTES).address();
            CpuSet.clear(set);
            int result = -Errno.EINVAL;
            if (cpu < CPUS) {
                CpuSet.set(set, cpu);
                result = calls.schedSetaffinity(CALLER, CpuSet.SIZE, set);
            }
            if (result < 0) {
                throw new IOException("CPU " + cpu + " is not allowed here: " + Errno.describe(-result)
                        + "; allowed are " + allowed(calls, set));
            }
        }
    }

    private static String allowed(SystemCalls calls, long set) {
        // Asked for all CPUs, the kernel takes those that the cpuset of the process allows.
        for (int cpu = 0; cpu < CPUS; cpu++) {
            CpuSet.set(set, cpu);
        }
        calls.schedSetaffinity(CALLER, CpuSet.SIZE, set);
        CpuSet.clear(set);
        calls.schedGetaffinity(CALLER, CpuSet.SIZE, set);
        BitSet cpus = new BitSet();
        for (int cpu = 0; cpu < CPUS; cpu++) {
            cpus.set(cpu, CpuSet.isSet(set, cpu));
        }
        return cpus.stream().mapToObj(Integer::toString).collect(Collectors.joining(", "));
    }
}
