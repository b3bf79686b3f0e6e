package dev.headrace.testkit.sim;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Poll;
import dev.headrace.engine.driver.EventFd;
import java.lang.foreign.Arena;

/**
 * A simulated eventfd. The wake-up may reach the kernel a while after the call: who calls is another thread, which the
 * machine may stop in between.
 *
 * <p>Thread: any for {@link #signal}, while the simulation's waits for it.
 */
final class SimEventFd extends SimFile implements EventFd {
    private static final int LATE_NANOS_MAX = 2_000_000;

    private final SimKernel kernel;
    private final Arena arena = Arena.ofAuto();
    private final long drained = arena.allocate(Long.BYTES, Long.BYTES).address();
    private final int fd;
    private long count;
    private boolean closed;

    SimEventFd(SimKernel kernel) {
        this.kernel = kernel;
        this.fd = kernel.install(this);
    }

    @Override
    public int fd() {
        return fd;
    }

    @Override
    public long drainAddress() {
        return drained;
    }

    @Override
    public void signal() {
        if (kernel.chance().strikes(Mark.WAKE_UP_LATE, 5)) {
            kernel.at(kernel.chance().below(LATE_NANOS_MAX), this::arrive);
        } else {
            arrive();
        }
    }

    private void arrive() {
        if (!closed) {
            kernel.progressed();
            count++;
            wake();
        }
    }

    /** The eight bytes of the count, for memory at that address. */
    int readTo(long address) {
        if (count == 0) {
            return -Errno.EAGAIN;
        }
        Memory.putLong(address, count);
        count = 0;
        return Long.BYTES;
    }

    @Override
    public void drain() {
        count = 0;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            kernel.close(fd);
        }
    }

    @Override
    int readiness() {
        return count == 0 ? Poll.POLLOUT : Poll.POLLIN | Poll.POLLOUT;
    }

    @Override
    void released() {
        count = 0;
    }
}
