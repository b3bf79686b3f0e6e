package dev.headrace.lab.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * User and system time of a process in ticks of 10 ms, from {@code /proc/PID/stat}. The kernel samples which of the two
 * a process is in, so only sums over many seconds say something, and only as shares.
 *
 * <p>Thread: any; immutable.
 */
public record CpuTicks(long user, long system) {
    /** No ticks; also the answer when the process is gone. */
    public static final CpuTicks NONE = new CpuTicks(0, 0);

    /** Fields are counted from the one behind the command's closing bracket: state is 0, utime 11, stime 12. */
    private static final int USER_FIELD = 11;

    /** The ticks of a process so far. */
    public static CpuTicks of(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return NONE;
        }
    }

    static CpuTicks parse(String stat) {
        // The command may hold spaces and brackets itself, so the last bracket counts (proc_pid_stat(5)).
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new CpuTicks(Long.parseLong(fields[USER_FIELD]), Long.parseLong(fields[USER_FIELD + 1]));
    }

    public CpuTicks minus(CpuTicks earlier) {
        return new CpuTicks(user - earlier.user, system - earlier.system);
    }

    public CpuTicks plus(CpuTicks other) {
        return new CpuTicks(user + other.user, system + other.system);
    }
}
