package dev.headrace.lab.measure;

import dev.headrace.abi.linux.CpuSet;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.lab.Refusal;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Knows the cores this thread may run on, and narrows them for a while, so that processes started meanwhile inherit the
 * choice (sched_setaffinity(2)).
 *
 * <p>Thread: the calling one is the one that is asked about and changed.
 */
public final class Cores {
    private static final int SELF = 0;
    private static final int CORES_MAX = CpuSet.SIZE * Byte.SIZE;

    private Cores() {}

    /** The cores the calling thread may use, in ascending order. */
    public static List<Integer> allowed() {
        SystemCalls calls = new SystemCalls();
        try (Arena arena = Arena.ofConfined()) {
            long set = arena.allocate(CpuSet.SIZE, Long.BYTES).address();
            int result = calls.schedGetaffinity(SELF, CpuSet.SIZE, set);
            if (result < 0) {
                throw new Refusal("the usable cores cannot be read: " + Errno.describe(-result));
            }
            List<Integer> cores = new ArrayList<>();
            for (int core = 0; core < CORES_MAX; core++) {
                if (CpuSet.isSet(set, core)) {
                    cores.add(core);
                }
            }
            return cores;
        }
    }

    /** Runs the task while the calling thread is confined to those cores, then gives it back the ones it had. */
    public static <T> T confinedTo(List<Integer> cores, Callable<T> task) throws Exception {
        List<Integer> before = allowed();
        confine(cores);
        try {
            return task.call();
        } finally {
            confine(before);
        }
    }

    /** Whether two cores are hardware threads of one. */
    public static boolean share(int core, int other) {
        Path siblings = Path.of("/sys/devices/system/cpu/cpu" + core + "/topology/thread_siblings_list");
        try {
            return parseList(Files.readString(siblings, StandardCharsets.US_ASCII)
                            .strip())
                    .contains(other);
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Reads a list as the kernel prints it, for example {@code 0-3,8}. */
    public static List<Integer> parseList(String text) {
        List<Integer> cores = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] ends = part.split("-", 2);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int core = Integer.parseInt(ends[0]); core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }

    private static void confine(List<Integer> cores) {
        SystemCalls calls = new SystemCalls();
        try (Arena arena = Arena.ofConfined()) {
            long set = arena.allocate(CpuSet.SIZE, Long.BYTES).address();
            for (int core : cores) {
                CpuSet.set(set, core);
            }
            int result = calls.schedSetaffinity(SELF, CpuSet.SIZE, set);
            if (result < 0) {
                throw new Refusal("a process cannot be pinned to core " + cores + ": " + Errno.describe(-result));
            }
        }
    }
}
