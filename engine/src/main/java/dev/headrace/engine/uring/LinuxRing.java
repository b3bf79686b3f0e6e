package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoCqringOffsets;
import dev.headrace.abi.linux.IoSqringOffsets;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringCqe;
import dev.headrace.abi.linux.IoUringGeteventsArg;
import dev.headrace.abi.linux.IoUringParams;
import dev.headrace.abi.linux.IoUringRsrcUpdate;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;

/**
 * An io_uring instance of the running kernel.
 *
 * <p>Thread: the one that calls {@link #enable}. Owns: the ring's descriptor and mappings.
 */
final class LinuxRing implements Ring {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final SystemCalls calls;
    private final Arena arena = Arena.ofShared();
    private final int fd;
    private final int features;
    private final int submissionEntries;
    private final int completionEntries;
    private final long rings;
    private final long ringsBytes;
    private final long sqes;
    private final long sqesBytes;
    private final long sqOffsets;
    private final long cqOffsets;
    private final long waitArgument;
    private final long waitTimespec;

    private int enterFd;
    private int enterFlags = IoUring.IORING_ENTER_GETEVENTS;
    private int waitFlags = IoUring.IORING_ENTER_GETEVENTS;

    private LinuxRing(SystemCalls calls, int fd, long params) throws RingRefusedException {
        this.calls = calls;
        this.fd = fd;
        this.enterFd = fd;
        // The offsets outlive the caller's parameter block.
        long copy = arena.allocate(IoUringParams.SIZE, 8).address();
        Memory.copy(params, copy, IoUringParams.SIZE);
        this.features = IoUringParams.features(copy);
        this.submissionEntries = IoUringParams.sqEntries(copy);
        this.completionEntries = IoUringParams.cqEntries(copy);
        this.sqOffsets = IoUringParams.sqOff(copy);
        this.cqOffsets = IoUringParams.cqOff(copy);
        this.waitTimespec = arena.allocate(KernelTimespec.SIZE, 8).address();
        this.waitArgument = arena.allocate(IoUringGeteventsArg.SIZE, 8).address();
        IoUringGeteventsArg.ts(waitArgument, waitTimespec);
        long sqBytes = (IoUringParams.flags(copy) & IoUring.IORING_SETUP_NO_SQARRAY) != 0
                ? 0
                : IoSqringOffsets.array(sqOffsets) + (long) submissionEntries * Integer.BYTES;
        long cqBytes = IoCqringOffsets.cqes(cqOffsets) + (long) completionEntries * IoUringCqe.SIZE;
        this.ringsBytes = Math.max(sqBytes, cqBytes);
        this.sqesBytes = (long) submissionEntries * IoUringSqe.SIZE;
        this.rings = map(ringsBytes, IoUring.IORING_OFF_SQ_RING);
        this.sqes = map(sqesBytes, IoUring.IORING_OFF_SQES);
        if (sqBytes > 0) {
            // Without NO_SQARRAY (6.6) an indirection lies between: entry i is always sqe i.
            long array = rings + IoSqringOffsets.array(sqOffsets);
            for (int i = 0; i < submissionEntries; i++) {
                Memory.putInt(array + (long) i * Integer.BYTES, i);
            }
        }
    }

    /**
     * Creates a ring.
     *
     * @param flags for {@code io_uring_setup}; CQSIZE and CLAMP are added
     * @throws RingRefusedException with the kernel's errno
     */
    static LinuxRing create(SystemCalls calls, int submissionEntries, int completionEntries, int flags)
            throws RingRefusedException {
        return LockedMemory.patiently(() -> createOnce(calls, submissionEntries, completionEntries, flags));
    }

    private static LinuxRing createOnce(SystemCalls calls, int submissionEntries, int completionEntries, int flags)
            throws RingRefusedException {
        try (Arena arena = Arena.ofConfined()) {
            long params = arena.allocate(IoUringParams.SIZE, 8).address();
            IoUringParams.flags(params, flags | IoUring.IORING_SETUP_CQSIZE | IoUring.IORING_SETUP_CLAMP);
            IoUringParams.cqEntries(params, completionEntries);
            int fd = calls.ioUringSetup(submissionEntries, params);
            if (fd < 0) {
                throw new RingRefusedException("io_uring_setup", -fd);
            }
            if ((IoUringParams.features(params) & IoUring.IORING_FEAT_SINGLE_MMAP) == 0) {
                calls.close(fd);
                throw new RingRefusedException("one mapping for both queues (Linux 5.4)", Errno.ENOSYS);
            }
            return new LinuxRing(calls, fd, params);
        }
    }

    private long map(long bytes, long offset) throws RingRefusedException {
        int protection = Mman.PROT_READ | Mman.PROT_WRITE;
        long address = calls.mmap(0, bytes, protection, Mman.MAP_SHARED | Mman.MAP_POPULATE, fd, offset);
        if (address < 0 && address > -4096) {
            calls.close(fd);
            throw new RingRefusedException("mapping the queues", (int) -address);
        }
        return address;
    }

    /** Enables a ring that was created disabled; the calling thread becomes its only issuer. */
    int enable() {
        return register(IoUring.IORING_REGISTER_ENABLE_RINGS, 0, 0);
    }

    /** Registers the ring's own descriptor, so that entering needs no look-up (5.18). */
    int registerDescriptor() {
        try (Arena local = Arena.ofConfined()) {
            long update = local.allocate(IoUringRsrcUpdate.SIZE, 8).address();
            IoUringRsrcUpdate.offset(update, -1);
            IoUringRsrcUpdate.data(update, fd);
            int result = register(IoUring.IORING_REGISTER_RING_FDS, update, 1);
            if (result == 1) {
                enterFd = IoUringRsrcUpdate.offset(update);
                enterFlags |= IoUring.IORING_ENTER_REGISTERED_RING;
                waitFlags |= IoUring.IORING_ENTER_REGISTERED_RING;
            }
            return result;
        }
    }

    /** Waits count as idle time from now on, not as waiting for a disk (6.15). */
    void waitWithoutIowait() {
        waitFlags |= IoUring.IORING_ENTER_NO_IOWAIT;
    }

    boolean has(int feature) {
        return (features & feature) != 0;
    }

    @Override
    public int enter(int toSubmit, int minComplete, long waitNanos) {
        if (minComplete == 0) {
            return calls.awaitIoUring(enterFd, toSubmit, 0, enterFlags, 0, 0);
        }
        if (waitNanos < 0) {
            return calls.awaitIoUring(enterFd, toSubmit, minComplete, waitFlags, 0, 0);
        }
        KernelTimespec.tvSec(waitTimespec, waitNanos / NANOS_PER_SECOND);
        KernelTimespec.tvNsec(waitTimespec, waitNanos % NANOS_PER_SECOND);
        int flags = waitFlags | IoUring.IORING_ENTER_EXT_ARG;
        return calls.awaitIoUring(enterFd, toSubmit, minComplete, flags, waitArgument, IoUringGeteventsArg.SIZE);
    }

    @Override
    public int register(int opcode, long argument, int count) {
        return calls.ioUringRegister(fd, opcode, argument, count);
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public int submissionEntries() {
        return submissionEntries;
    }

    @Override
    public int completionEntries() {
        return completionEntries;
    }

    @Override
    public long submissionHead() {
        return rings + IoSqringOffsets.head(sqOffsets);
    }

    @Override
    public long submissionTail() {
        return rings + IoSqringOffsets.tail(sqOffsets);
    }

    @Override
    public long submissionFlags() {
        return rings + IoSqringOffsets.flags(sqOffsets);
    }

    @Override
    public long submissionArray() {
        return sqes;
    }

    @Override
    public long completionHead() {
        return rings + IoCqringOffsets.head(cqOffsets);
    }

    @Override
    public long completionTail() {
        return rings + IoCqringOffsets.tail(cqOffsets);
    }

    @Override
    public long completionArray() {
        return rings + IoCqringOffsets.cqes(cqOffsets);
    }

    /** A registered ring lives on in its thread's table of 16 until it is taken out, whatever becomes of its descriptor. */
    private void unregisterDescriptor() {
        if ((enterFlags & IoUring.IORING_ENTER_REGISTERED_RING) != 0) {
            try (Arena local = Arena.ofConfined()) {
                long update = local.allocate(IoUringRsrcUpdate.SIZE, 8).address();
                IoUringRsrcUpdate.offset(update, enterFd);
                register(IoUring.IORING_UNREGISTER_RING_FDS, update, 1);
            }
        }
    }

    @Override
    public void close() {
        unregisterDescriptor();
        calls.munmap(sqes, sqesBytes);
        calls.munmap(rings, ringsBytes);
        calls.close(fd);
        arena.close();
    }
}
