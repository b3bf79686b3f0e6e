package dev.headrace.lab.measure;

import static java.util.Objects.requireNonNull;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.PerfEvent;
import dev.headrace.abi.linux.PerfEventAttr;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.lab.Refusal;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the system calls that all threads of a process make, from its opening on, by the tracepoint
 * {@code raw_syscalls:sys_enter}. Counting costs the process about a tenth of its CPU, so it belongs in a window of its
 * own.
 *
 * <p>Thread: one at a time. Owns: a descriptor for each thread of the process.
 */
public final class SystemCallCount implements AutoCloseable {
    private static final int ANY_CPU = -1;
    private static final int NO_GROUP = -1;

    private final SystemCalls calls = new SystemCalls();
    private final MemorySegment count = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final List<Integer> descriptors = new ArrayList<>();

    private SystemCallCount() {}

    /**
     * Starts counting.
     *
     * @param tracepoint the number of the tracepoint, see {@link Tracepoint}
     * @throws Refusal when the kernel does not let us, or the process is gone
     */
    public static SystemCallCount open(long pid, long tracepoint) {
        SystemCallCount counting = new SystemCallCount();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                counting.add(
                        Integer.parseInt(requireNonNull(thread.getFileName()).toString()), tracepoint);
            }
        } catch (IOException gone) {
            counting.close();
            throw new Refusal("system calls cannot be counted: process " + pid + " is gone", gone);
        } catch (Refusal refused) {
            counting.close();
            throw refused;
        }
        return counting;
    }

    private void add(int threadId, long tracepoint) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attribute = arena.allocate(PerfEventAttr.SIZE, Long.BYTES);
            long address = attribute.address();
            PerfEventAttr.type(address, PerfEvent.PERF_TYPE_TRACEPOINT);
            PerfEventAttr.attrSize(address, PerfEventAttr.SIZE);
            PerfEventAttr.config(address, tracepoint);
            PerfEventAttr.flags(address, PerfEventAttr.INHERIT); // threads made later are counted as well
            int fd = calls.perfEventOpen(address, threadId, ANY_CPU, NO_GROUP, PerfEvent.PERF_FLAG_FD_CLOEXEC);
            if (fd >= 0) {
                descriptors.add(fd);
            } else if (fd != -Errno.ESRCH) { // the thread may have ended meanwhile
                throw new Refusal("system calls cannot be counted: " + Errno.describe(-fd)
                        + "; run as root or set kernel.perf_event_paranoid to -1");
            }
        }
    }

    /** System calls since the opening. */
    public long total() {
        long total = 0;
        for (int fd : descriptors) {
            if (calls.read(fd, count.address(), Long.BYTES) == Long.BYTES) {
                total += Memory.getLong(count.address());
            }
        }
        return total;
    }

    @Override
    public void close() {
        descriptors.forEach(calls::close);
        descriptors.clear();
    }
}
