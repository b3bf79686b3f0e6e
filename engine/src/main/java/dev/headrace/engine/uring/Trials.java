package dev.headrace.engine.uring;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.SockaddrUn;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * One real request for each feature that concerns requests, on a scratch ring, over sockets of the AF_UNIX family that
 * nobody else can see.
 *
 * <p>Thread: the ring's. Owns: the sockets and buffers, for the duration of each trial.
 */
final class Trials implements AutoCloseable {
    private static final long WAIT_NANOS = 500_000_000L;
    /** Completions of other requests may come first. */
    private static final int ENTERS_MAX = 8;
    /** User data of the receive on trial. */
    private static final long RECEIVE = 1;

    private final SystemCalls calls;
    private final LinuxRing ring;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    /** One for all trials: what a request has offered to the kernel stays on offer when the trial is over. */
    private final BufferPool pool = new BufferPool(4, 64, Runnable::run, Thread.currentThread());

    Trials(SystemCalls calls, LinuxRing ring) {
        this.calls = calls;
        this.ring = ring;
        this.submissions = new SubmissionQueue(ring);
        this.completions = new CompletionQueue(ring);
    }

    /** Null when a ring of buffers can be registered, otherwise the kernel's reason. */
    @Nullable
    String bufferRingRefused() {
        try (BufferRing buffers = BufferRing.register(calls, ring, pool, 2)) {
            buffers.topUp(submissions);
            return null;
        } catch (RingRefusedException e) {
            return Errno.name(e.errno()) + " (Linux 5.19)";
        }
    }

    /**
     * Receives a byte into a buffer that the kernel picks.
     *
     * @param bufferRing whether buffers are offered through a ring of them, or by requests
     * @param multishot whether the receive is to stay armed
     * @return the flags of its completion, or a negative errno
     * @throws RingRefusedException when the trial itself cannot be made
     */
    int receive(boolean bufferRing, boolean multishot) throws RingRefusedException {
        ended = false;
        try (BufferSupply buffers =
                        bufferRing ? BufferRing.register(calls, ring, pool, 2) : new BufferRequests(pool, 2, false);
                Arena arena = Arena.ofConfined()) {
            long pair = arena.allocate(2 * Integer.BYTES, 4).address();
            check("socketpair", calls.socketpair(Socket.AF_UNIX, Socket.SOCK_STREAM | Socket.SOCK_CLOEXEC, 0, pair));
            int ours = Memory.getInt(pair);
            int theirs = Memory.getInt(pair + Integer.BYTES);
            try {
                buffers.topUp(submissions);
                long sqe = request(IoUring.IORING_OP_RECV, ours, RECEIVE);
                IoUringSqe.flags(sqe, IoUring.IOSQE_BUFFER_SELECT);
                IoUringSqe.bufGroup(sqe, BufferSupply.GROUP);
                IoUringSqe.ioprio(sqe, multishot ? IoUring.IORING_RECV_MULTISHOT : 0);
                check("write", (int) calls.write(theirs, pair, 1));
                return firstFlags(buffers);
            } finally {
                calls.close(theirs);
                drain(buffers);
                calls.close(ours);
            }
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

    private boolean acceptsAndStaysArmed() throws RingRefusedException {
        boolean armed = false;
        for (int i = 0; i < 4; i++) {
            enter();
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
    boolean skippedCompletion() throws RingRefusedException {
        long silent = request(IoUring.IORING_OP_NOP, -1, 3);
        IoUringSqe.flags(silent, IoUring.IOSQE_CQE_SKIP_SUCCESS);
        request(IoUring.IORING_OP_NOP, -1, 4);
        enter();
        boolean skipped = true;
        while (completions.available() > 0) {
            completions.next();
            skipped &= completions.userData() != 3;
        }
        completions.release();
        return skipped;
    }

    private void enter() throws RingRefusedException {
        int result = ring.enter(submissions.publish(), 1, WAIT_NANOS);
        if (result < 0 && result != -Errno.ETIME && result != -Errno.EINTR) {
            throw new RingRefusedException("io_uring_enter", -result);
        }
    }

    private long request(int opcode, int fd, long userData) {
        long sqe = submissions.take();
        IoUringSqe.opcode(sqe, opcode);
        IoUringSqe.fd(sqe, fd);
        IoUringSqe.userData(sqe, userData);
        return sqe;
    }

    private int firstFlags(BufferSupply buffers) throws RingRefusedException {
        for (int i = 0; i < ENTERS_MAX; i++) {
            enter();
            while (completions.available() > 0) {
                completions.next();
                int result = completions.result();
                int flags = completions.flags();
                long about = completions.userData();
                completions.release();
                giveBack(flags, buffers);
                if (about == RECEIVE) {
                    ended = (flags & IoUring.IORING_CQE_F_MORE) == 0;
                    return result < 0 ? result : flags;
                }
                if (BufferRequests.offer(about) && result < 0) {
                    buffers.named(BufferRequests.id(about));
                    pool.give(BufferRequests.id(about));
                }
            }
        }
        return -Errno.ETIMEDOUT;
    }

    private boolean ended;

    /** Reads until the request has ended, so that no buffer is the kernel's any more. */
    private void drain(BufferSupply buffers) throws RingRefusedException {
        for (int i = 0; i < ENTERS_MAX && !ended; i++) {
            enter();
            while (completions.available() > 0) {
                completions.next();
                giveBack(completions.flags(), buffers);
                ended |= completions.userData() == RECEIVE && (completions.flags() & IoUring.IORING_CQE_F_MORE) == 0;
                completions.release();
            }
        }
    }

    private void giveBack(int flags, BufferSupply buffers) {
        if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
            int id = flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
            buffers.named(id);
            pool.give(id);
        }
    }

    private boolean cancelled(long userData) throws RingRefusedException {
        long sqe = request(IoUring.IORING_OP_ASYNC_CANCEL, -1, 5);
        IoUringSqe.addr(sqe, userData);
        boolean ended = false;
        for (int i = 0; i < 4 && !ended; i++) {
            enter();
            while (completions.available() > 0) {
                completions.next();
                ended |= completions.userData() == userData;
                completions.release();
            }
        }
        return ended;
    }

    @Override
    public void close() {
        pool.close();
    }

    private static int check(String attempted, int result) throws RingRefusedException {
        if (result < 0) {
            throw new RingRefusedException(attempted, -result);
        }
        return result;
    }
}
