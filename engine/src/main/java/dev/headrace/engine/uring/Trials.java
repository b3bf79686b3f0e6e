package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.SockaddrUn;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import java.io.IOException;
import java.lang.foreign.Arena;

/**
 * One real request for each feature that concerns requests, on a scratch ring, over sockets of the AF_UNIX family that
 * nobody else can see.
 *
 * <p>Thread: the ring's. Owns: the sockets and buffers, for the duration of each trial.
 */
final class Trials {
    private static final long WAIT_NANOS = 500_000_000L;

    private final SystemCalls calls;
    private final LinuxRing ring;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;

    Trials(SystemCalls calls, LinuxRing ring) {
        this.calls = calls;
        this.ring = ring;
        this.submissions = new SubmissionQueue(ring);
        this.completions = new CompletionQueue(ring);
    }

    /**
     * Whether a multishot receive delivers a byte into a provided buffer and stays armed.
     *
     * @throws RingRefusedException when provided-buffer rings do not work, without which there is no use of a ring
     */
    boolean multishotReceive() throws RingRefusedException {
        try (BufferPool pool = new BufferPool(4, 64, Runnable::run, Thread.currentThread());
                BufferRing buffers = BufferRing.register(calls, ring, pool, 2);
                Arena arena = Arena.ofConfined()) {
            long pair = arena.allocate(2 * Integer.BYTES, 4).address();
            check("socketpair", calls.socketpair(Socket.AF_UNIX, Socket.SOCK_STREAM | Socket.SOCK_CLOEXEC, 0, pair));
            int ours = Memory.getInt(pair);
            int theirs = Memory.getInt(pair + Integer.BYTES);
            try {
                buffers.topUp();
                long sqe = request(IoUring.IORING_OP_RECV, ours, 1);
                IoUringSqe.flags(sqe, IoUring.IOSQE_BUFFER_SELECT);
                IoUringSqe.bufGroup(sqe, BufferRing.GROUP);
                IoUringSqe.ioprio(sqe, IoUring.IORING_RECV_MULTISHOT);
                check("write", (int) calls.write(theirs, pair, 1));
                int flags = firstFlags(1, pool, buffers);
                return (flags & IoUring.IORING_CQE_F_MORE) != 0;
            } finally {
                calls.close(theirs);
                drain(1, pool, buffers);
                calls.close(ours);
            }
        } catch (RingRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw new RingRefusedException(e.getMessage() + "", Errno.EINVAL);
        }
    }

    /** Whether a multishot accept takes a connection and stays armed. */
    boolean multishotAccept() throws RingRefusedException {
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocate(SockaddrUn.SIZE, 8).address();
            long length = arena.allocate(Integer.BYTES, 4).address();
            int type = Socket.SOCK_STREAM | Socket.SOCK_CLOEXEC;
            int listener = check("socket", calls.socket(Socket.AF_UNIX, type, 0));
            int client = check("socket", calls.socket(Socket.AF_UNIX, type | Socket.SOCK_NONBLOCK, 0));
            try {
                // A bind with the family alone picks a free abstract name (unix(7), autobind).
                SockaddrUn.sunFamily(name, Socket.AF_UNIX);
                check("bind", calls.bind(listener, name, Short.BYTES));
                check("listen", calls.listen(listener, 1));
                Memory.putInt(length, SockaddrUn.SIZE);
                check("getsockname", calls.getsockname(listener, name, length));
                long sqe = request(IoUring.IORING_OP_ACCEPT, listener, 2);
                IoUringSqe.ioprio(sqe, IoUring.IORING_ACCEPT_MULTISHOT);
                IoUringSqe.opFlags(sqe, Socket.SOCK_CLOEXEC);
                check("connect", calls.connect(client, name, Memory.getInt(length)));
                return acceptsAndStaysArmed();
            } finally {
                calls.close(client);
                calls.close(listener);
            }
        }
    }

    private boolean acceptsAndStaysArmed() {
        boolean armed = false;
        for (int i = 0; i < 4; i++) {
            ring.enter(submissions.publish(), 1, WAIT_NANOS);
            while (completions.available() > 0) {
                completions.next();
                if (completions.userData() == 2 && completions.result() >= 0) {
                    calls.close(completions.result());
                    armed = (completions.flags() & IoUring.IORING_CQE_F_MORE) != 0;
                    completions.release();
                    return armed && cancelled(2);
                }
                boolean ended = completions.userData() == 2;
                completions.release();
                if (ended) {
                    return false;
                }
            }
        }
        return false;
    }

    /** Whether a request that asks for no completion on success gives none. */
    boolean skippedCompletion() {
        long silent = request(IoUring.IORING_OP_NOP, -1, 3);
        IoUringSqe.flags(silent, IoUring.IOSQE_CQE_SKIP_SUCCESS);
        request(IoUring.IORING_OP_NOP, -1, 4);
        ring.enter(submissions.publish(), 1, WAIT_NANOS);
        boolean skipped = true;
        while (completions.available() > 0) {
            completions.next();
            skipped &= completions.userData() != 3;
        }
        completions.release();
        return skipped;
    }

    private long request(int opcode, int fd, long userData) {
        long sqe = submissions.take();
        IoUringSqe.opcode(sqe, opcode);
        IoUringSqe.fd(sqe, fd);
        IoUringSqe.userData(sqe, userData);
        return sqe;
    }

    private int firstFlags(long userData, BufferPool pool, BufferRing buffers) throws RingRefusedException {
        for (int i = 0; i < 4; i++) {
            ring.enter(submissions.publish(), 1, WAIT_NANOS);
            while (completions.available() > 0) {
                completions.next();
                int result = completions.result();
                int flags = completions.flags();
                long about = completions.userData();
                completions.release();
                giveBack(flags, pool, buffers);
                if (about == userData) {
                    ended = (flags & IoUring.IORING_CQE_F_MORE) == 0;
                    check("receive into a provided buffer (Linux 5.19)", result);
                    return flags;
                }
            }
        }
        throw new RingRefusedException("receive into a provided buffer", Errno.ETIMEDOUT);
    }

    private boolean ended;

    /** Reads until the request has ended, so that no buffer is the kernel's any more. */
    private void drain(long userData, BufferPool pool, BufferRing buffers) {
        for (int i = 0; i < 4 && !ended; i++) {
            ring.enter(submissions.publish(), 1, WAIT_NANOS);
            while (completions.available() > 0) {
                completions.next();
                giveBack(completions.flags(), pool, buffers);
                ended |= completions.userData() == userData && (completions.flags() & IoUring.IORING_CQE_F_MORE) == 0;
                completions.release();
            }
        }
    }

    private static void giveBack(int flags, BufferPool pool, BufferRing buffers) {
        if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
            buffers.named();
            pool.give(flags >>> IoUring.IORING_CQE_BUFFER_SHIFT);
        }
    }

    private boolean cancelled(long userData) {
        long sqe = request(IoUring.IORING_OP_ASYNC_CANCEL, -1, 5);
        IoUringSqe.addr(sqe, userData);
        boolean ended = false;
        for (int i = 0; i < 4 && !ended; i++) {
            ring.enter(submissions.publish(), 1, WAIT_NANOS);
            while (completions.available() > 0) {
                completions.next();
                ended |= completions.userData() == userData;
                completions.release();
            }
        }
        return ended;
    }

    private static int check(String attempted, int result) throws RingRefusedException {
        if (result < 0) {
            throw new RingRefusedException(attempted, -result);
        }
        return result;
    }
}
