package dev.headrace.abi.check;

import static dev.headrace.abi.linux.IoUring.IORING_ACCEPT_DONTWAIT;
import static dev.headrace.abi.linux.IoUring.IORING_CQE_F_MORE;
import static dev.headrace.abi.linux.IoUring.IORING_MSG_DATA;
import static dev.headrace.abi.linux.IoUring.IORING_OP_ACCEPT;
import static dev.headrace.abi.linux.IoUring.IORING_OP_MSG_RING;
import static dev.headrace.abi.linux.IoUring.IORING_OP_NOP;
import static dev.headrace.abi.linux.IoUring.IORING_OP_TIMEOUT;
import static dev.headrace.abi.linux.IoUring.IORING_SETUP_CQE_MIXED;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUringCqe;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.SockaddrUn;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.util.Map;

/** Proofs of flags in requests and in their completions. */
final class RequestProofs {
    private static final int WAIT_MILLIS = 300;
    private static final int PENDING = Integer.MIN_VALUE; // no completion
    private static final int NOP_CQE32 = 1 << 5; // nop_flags: answer with 32 bytes

    private final SystemCalls calls;

    RequestProofs(SystemCalls calls) {
        this.calls = calls;
    }

    Map<String, Proof> byName() {
        return Map.of(
                "IORING_ACCEPT_DONTWAIT", this::acceptDontwait,
                "IORING_ACCEPT_POLL_FIRST", this::acceptPollFirst,
                "IORING_TIMEOUT_MULTISHOT", this::timeoutMultishot,
                "IORING_MSG_RING_FLAGS_PASS", this::flagsPass,
                "IORING_CQE_F_32", this::cqe32,
                "IORING_CQE_F_SKIP", this::cqeSkip);
    }

    /** With nobody connecting the request ends at once, although the socket is a blocking one. */
    private boolean acceptDontwait(long value) {
        return accept(false, value) == -Errno.EAGAIN;
    }

    /** The first try is left out, so that a request that must not wait fails even while a connection is there. */
    private boolean acceptPollFirst(long value) {
        return accept(true, IORING_ACCEPT_DONTWAIT) >= 0
                && accept(true, value | IORING_ACCEPT_DONTWAIT) == -Errno.EAGAIN;
    }

    private int accept(boolean connected, long flags) {
        int listener = calls.socket(Socket.AF_UNIX, Socket.SOCK_STREAM, 0);
        int client = calls.socket(Socket.AF_UNIX, Socket.SOCK_STREAM, 0);
        try (Arena arena = Arena.ofConfined();
                ScratchRing ring = open(0)) {
            long address = arena.allocate(SockaddrUn.SIZE, 8).address();
            long length = arena.allocate(4, 4).address();
            SockaddrUn.sunFamily(address, Socket.AF_UNIX);
            calls.bind(listener, address, 2); // the family alone: the kernel picks an abstract name
            calls.listen(listener, 1);
            Memory.putInt(length, SockaddrUn.SIZE);
            calls.getsockname(listener, address, length);
            if (connected) {
                calls.connect(client, address, Memory.getInt(length));
            }
            long sqe = ring.entry(IORING_OP_ACCEPT);
            IoUringSqe.fd(sqe, listener);
            IoUringSqe.ioprio(sqe, (int) flags);
            int result = ring.result(WAIT_MILLIS, PENDING);
            if (result >= 0) {
                calls.close(result);
            }
            return result;
        } finally {
            calls.close(client);
            calls.close(listener);
        }
    }

    /** The first expiry announces another, and that comes. */
    private boolean timeoutMultishot(long value) {
        try (Arena arena = Arena.ofConfined();
                ScratchRing ring = open(0)) {
            long time = arena.allocate(KernelTimespec.SIZE, 8).address();
            KernelTimespec.tvNsec(time, 1_000_000);
            long sqe = ring.entry(IORING_OP_TIMEOUT);
            IoUringSqe.addr(sqe, time);
            IoUringSqe.len(sqe, 1);
            IoUringSqe.off(sqe, 2); // twice
            IoUringSqe.opFlags(sqe, (int) value);
            ring.submit();
            long first = ring.completion(WAIT_MILLIS);
            if (first == 0 || (IoUringCqe.flags(first) & IORING_CQE_F_MORE) == 0) {
                return false;
            }
            ring.seen(1);
            return ring.completion(WAIT_MILLIS) != 0;
        }
    }

    /** The flags given arrive in the completion on the other ring. */
    private boolean flagsPass(long value) {
        int passed = 0x5a0000;
        try (ScratchRing from = open(0);
                ScratchRing to = open(0)) {
            long sqe = from.entry(IORING_OP_MSG_RING);
            IoUringSqe.fd(sqe, to.fd);
            IoUringSqe.addr(sqe, IORING_MSG_DATA);
            IoUringSqe.fileIndex(sqe, passed);
            IoUringSqe.opFlags(sqe, (int) value);
            if (from.result(WAIT_MILLIS, PENDING) != 0) {
                return false;
            }
            long arrived = to.completion(WAIT_MILLIS);
            return arrived != 0 && IoUringCqe.flags(arrived) == passed;
        }
    }

    /** A completion of 32 bytes in a queue of mixed ones says so in its flags. */
    private boolean cqe32(long value) {
        try (ScratchRing ring = ScratchRing.open(calls, IORING_SETUP_CQE_MIXED)) {
            return ring != null && nop(ring, NOP_CQE32) == value;
        }
    }

    /** Where 32 bytes do not fit before the end of the queue, a completion that says to skip it fills the gap. */
    private boolean cqeSkip(long value) {
        try (ScratchRing ring = ScratchRing.open(calls, IORING_SETUP_CQE_MIXED)) {
            if (ring == null) {
                return false;
            }
            for (int i = 1; i < ring.cqEntries; i++) {
                nop(ring, 0);
                ring.seen(1);
            }
            return nop(ring, NOP_CQE32) == value;
        }
    }

    /** The flags of the completion of a request that does nothing. */
    private static long nop(ScratchRing ring, int flags) {
        IoUringSqe.opFlags(ring.entry(IORING_OP_NOP), flags);
        ring.submit();
        long completion = ring.completion(WAIT_MILLIS);
        return completion == 0 ? 0 : Integer.toUnsignedLong(IoUringCqe.flags(completion));
    }

    private ScratchRing open(int flags) {
        ScratchRing ring = ScratchRing.open(calls, flags);
        if (ring == null) {
            throw new IllegalStateException("the kernel refuses a ring with flags " + flags);
        }
        return ring;
    }
}
