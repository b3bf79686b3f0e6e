package dev.headrace.abi.check;

import static dev.headrace.abi.linux.IoUring.IORING_CQE_F_BUFFER;
import static dev.headrace.abi.linux.IoUring.IORING_OFF_PBUF_RING;
import static dev.headrace.abi.linux.IoUring.IORING_OFF_PBUF_SHIFT;
import static dev.headrace.abi.linux.IoUring.IORING_OP_RECV;
import static dev.headrace.abi.linux.IoUring.IORING_OP_SEND;
import static dev.headrace.abi.linux.IoUring.IORING_REGISTER_PBUF_RING;
import static dev.headrace.abi.linux.IoUring.IOSQE_BUFFER_SELECT;
import static dev.headrace.abi.linux.IoUring.IOU_PBUF_RING_INC;
import static dev.headrace.abi.linux.IoUring.IOU_PBUF_RING_MMAP;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUringBuf;
import dev.headrace.abi.linux.IoUringBufReg;
import dev.headrace.abi.linux.IoUringBufRing;
import dev.headrace.abi.linux.IoUringCqe;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Proofs of what concerns rings of provided buffers. */
final class BufferProofs {
    private static final int WAIT_MILLIS = 300;
    private static final int PENDING = Integer.MIN_VALUE; // no completion
    private static final int BUFFERS = 4;
    private static final int BUFFER_BYTES = 16;
    private static final int GROUP = 5;
    private static final long RING_BYTES = 64 * 1024; // the largest page of both architectures
    private static final int PAGE_BYTES = 4096; // the smallest

    private final SystemCalls calls;

    BufferProofs(SystemCalls calls) {
        this.calls = calls;
    }

    Map<String, Proof> byName() {
        return Map.of(
                "IORING_OFF_PBUF_RING",
                value -> mapped(value | (long) GROUP << IORING_OFF_PBUF_SHIFT),
                "IORING_OFF_PBUF_SHIFT",
                value -> mapped(IORING_OFF_PBUF_RING | (long) GROUP << value),
                "IORING_CQE_F_BUF_MORE",
                this::bufMore,
                "IORING_RECVSEND_BUNDLE",
                this::bundle);
    }

    /** A ring of buffers of the kernel's own is found at this offset: buffers put there are used. */
    private boolean mapped(long offset) {
        return with(IOU_PBUF_RING_MMAP, offset, BufferProofs::receive) == IORING_CQE_F_BUFFER;
    }

    /** A receive that leaves a part of its buffer unused says that more of it will be. */
    private boolean bufMore(long value) {
        boolean unset = with(0, -1, BufferProofs::receive) == IORING_CQE_F_BUFFER;
        return value != 0
                && unset
                && with(IOU_PBUF_RING_INC, -1, BufferProofs::receive) == (IORING_CQE_F_BUFFER | value);
    }

    /** One send takes all buffers of the group instead of the first. */
    private boolean bundle(long value) {
        return with(0, -1, parts -> send(parts, value)) == BUFFERS * BUFFER_BYTES;
    }

    /** What a trial works on: a ring with a group of buffers, and two connected sockets. */
    private record Parts(ScratchRing ring, int near, int far, long memory) {}

    /** Runs a trial with a group registered with {@code flags}, its ring mapped from {@code offset} unless that is -1. */
    private long with(int flags, long offset, ToLongFunction<Parts> trial) {
        int protection = Mman.PROT_READ | Mman.PROT_WRITE;
        long memory = calls.mmap(0, 2 * RING_BYTES, protection, Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS, -1, 0);
        try (ScratchRing ring = ScratchRing.open(calls, 0);
                Arena arena = Arena.ofConfined()) {
            long registration = arena.allocate(IoUringBufReg.SIZE, 8).address();
            IoUringBufReg.ringAddr(registration, offset < 0 ? memory : 0);
            IoUringBufReg.ringEntries(registration, BUFFERS);
            IoUringBufReg.bgid(registration, GROUP);
            IoUringBufReg.flags(registration, flags);
            if (ring == null || calls.ioUringRegister(ring.fd, IORING_REGISTER_PBUF_RING, registration, 1) < 0) {
                return -1;
            }
            long buffers = memory;
            if (offset >= 0) {
                buffers = calls.mmap(0, PAGE_BYTES, protection, Mman.MAP_SHARED, ring.fd, offset);
                if (buffers < 0) {
                    return -1;
                }
                if (!isEmpty(buffers)) {
                    calls.munmap(buffers, PAGE_BYTES);
                    return -1; // the ring's own queues, which must not be written to
                }
            }
            publish(buffers, memory + RING_BYTES);
            long sockets = arena.allocate(8, 4).address();
            calls.socketpair(Socket.AF_UNIX, Socket.SOCK_STREAM, 0, sockets);
            int near = Memory.getInt(sockets);
            int far = Memory.getInt(sockets + 4);
            long result = trial.applyAsLong(new Parts(ring, near, far, memory + RING_BYTES));
            calls.close(near);
            calls.close(far);
            if (offset >= 0) {
                calls.munmap(buffers, PAGE_BYTES);
            }
            return result;
        } finally {
            calls.munmap(memory, 2 * RING_BYTES);
        }
    }

    private static boolean isEmpty(long page) {
        byte[] content = new byte[PAGE_BYTES];
        Memory.copy(page, content, 0, PAGE_BYTES);
        return Arrays.equals(content, new byte[PAGE_BYTES]);
    }

    private static void publish(long ring, long memory) {
        for (int i = 0; i < BUFFERS; i++) {
            long buffer = IoUringBufRing.buf(ring, i);
            IoUringBuf.addr(buffer, memory + (long) i * BUFFER_BYTES);
            IoUringBuf.len(buffer, BUFFER_BYTES);
            IoUringBuf.bid(buffer, i);
        }
        IoUringBufRing.tail(ring, BUFFERS);
    }

    /** The flags of a receive of one byte into a buffer of the group, without the buffer's number; -1 if it fails. */
    private static long receive(Parts parts) {
        parts.ring.calls.send(parts.far, parts.memory, 1, 0);
        long sqe = parts.ring.entry(IORING_OP_RECV);
        IoUringSqe.fd(sqe, parts.near);
        IoUringSqe.flags(sqe, IOSQE_BUFFER_SELECT);
        IoUringSqe.bufGroup(sqe, GROUP);
        parts.ring.submit();
        long completion = parts.ring.completion(WAIT_MILLIS);
        if (completion == 0 || IoUringCqe.res(completion) != 1) {
            return -1;
        }
        return IoUringCqe.flags(completion) & 0xffff;
    }

    /** The bytes that a send of buffers of the group takes. */
    private static long send(Parts parts, long flags) {
        long sqe = parts.ring.entry(IORING_OP_SEND);
        IoUringSqe.fd(sqe, parts.near);
        IoUringSqe.flags(sqe, IOSQE_BUFFER_SELECT);
        IoUringSqe.ioprio(sqe, (int) flags);
        IoUringSqe.bufGroup(sqe, GROUP);
        return parts.ring.result(WAIT_MILLIS, PENDING);
    }
}
