package dev.headrace.lab.measure;

import dev.headrace.abi.linux.Clock;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Reads the CPU time that all threads of a process have used, as the scheduler counts it: in nanoseconds and without
 * the sampling error of user and system ticks.
 *
 * <p>Thread: one at a time. Owns: the memory the kernel writes the time to.
 */
public final class ProcessCpu {
    /** The answer when the process is gone. */
    public static final long GONE = -1;

    /**
     * The clock of a process by its id: the complement of the id, shifted by three, above the kind of clock
     * (clock_getcpuclockid(3) makes the same number).
     */
    private static final int KIND_SCHEDULER = 2;

    private static final int ID_SHIFT = 3;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final SystemCalls calls = new SystemCalls();
    private final MemorySegment time = Arena.ofAuto().allocate(KernelTimespec.SIZE, Long.BYTES);
    private final int clockId;

    private ProcessCpu(int clockId) {
        this.clockId = clockId;
    }

    /** The clock of the process with that id. */
    public static ProcessCpu of(long pid) {
        return new ProcessCpu(~Math.toIntExact(pid) << ID_SHIFT | KIND_SCHEDULER);
    }

    /** The clock of this process. */
    public static ProcessCpu own() {
        return new ProcessCpu(Clock.CLOCK_PROCESS_CPUTIME_ID);
    }

    /** The CPU time so far, or {@link #GONE}. */
    public long nanos() {
        long address = time.address();
        if (calls.clockGettime(clockId, address) < 0) {
            return GONE;
        }
        return KernelTimespec.tvSec(address) * NANOS_PER_SECOND + KernelTimespec.tvNsec(address);
    }
}
