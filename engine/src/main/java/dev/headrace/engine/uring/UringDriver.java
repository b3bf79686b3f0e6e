package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.socket.Sockets;
import java.util.ArrayDeque;

/**
 * The completion-native driver: operations become entries of the submission queue as they are staged, and one
 * {@code io_uring_enter} a turn submits them, waits and makes the kernel run its deferred work.
 *
 * <p>Entries that find the queue full wait in order. Cancellations are requests too and wait with them.
 *
 * <p>Thread: the loop's, for all but {@link #wake}; the ring accepts no other. Owns: ring, buffer ring and eventfd.
 */
public final class UringDriver implements Driver {
    /** User data of requests whose answer is of no interest: cancellations. */
    private static final long IGNORED = -1L;
    /** User data of the read of the eventfd. */
    private static final long WAKE_UP = -2L;
    /** From here to -1 user data is ours; slots are numbered from 0 on, so that theirs is never in this range. */
    private static final long RESERVED_MIN = -1L << 17;
    /** A pause when the kernel takes no submissions, which it does not announce the end of. */
    private static final long REFUSED_PAUSE_NANOS = 200_000L;

    private static final int ENTERS_PER_TURN_MAX = 64;

    private final Ring ring;
    private final Rungs rungs;
    private final SubmissionQueue submissions;
    private final CompletionQueue queue;
    private final BufferSupply buffers;
    private final BufferPool pool;
    private final SlotTable slots = new SlotTable();
    private final QuietSends quietSends;
    private final Sockets sockets;
    private final Clock clock;
    private final Counters counters;
    private final EventFd wakeUp;
    private boolean wakeUpArmed;
    private int acceptFlags = Socket.SOCK_CLOEXEC;

    /** Staged while the submission queue was full, and operations that are carried out here; in order. */
    private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
    /** Cancellations that found the submission queue full: the user data of their targets. */
    private final ArrayDeque<Long> waitingCancels = new ArrayDeque<>();

    UringDriver(Ring ring, Rungs rungs, BufferSupply buffers, EventFd wakeUp, Surroundings surroundings) {
        this.ring = ring;
        this.rungs = rungs;
        this.submissions = new SubmissionQueue(ring);
        this.queue = new CompletionQueue(ring);
        this.quietSends = new QuietSends(submissions.entries(), submissions.consumed());
        this.buffers = buffers;
        this.pool = surroundings.pool();
        this.sockets = surroundings.sockets();
        this.clock = surroundings.clock();
        this.wakeUp = wakeUp;
        this.counters = surroundings.counters();
    }

    /** Accepted sockets do not wait: their data goes another way than through this ring. */
    UringDriver acceptingNonBlocking() {
        acceptFlags |= Socket.SOCK_NONBLOCK;
        return this;
    }

    /** The ring's descriptor: readable while there are completions, so that a poller can wait for them. */
    public int descriptor() {
        return ring.descriptor();
    }

    /** Whether something is staged that the kernel has not taken. */
    public boolean unsubmitted() {
        return submissions.unconsumed() || !waiting.isEmpty() || !waitingCancels.isEmpty();
    }

    @Override
    public void stage(Operation operation) {
        operation.begin(Operation.State.STAGED);
        if (operation.kind() == Operation.Kind.RECEIVE) {
            // Offers made by requests come before what needs them: in a small queue they would find no room for ever.
            buffers.topUp(submissions);
        }
        // A shutdown never waits, but io_uring hands it to a worker thread: it is cheaper to call it in the turn.
        if (!waiting.isEmpty() || submissions.full() || operation.kind() == Operation.Kind.SHUTDOWN) {
            waiting.add(operation);
        } else {
            write(operation);
        }
    }

    @Override
    public void cancel(Operation operation) {
        switch (operation.state()) {
            case IDLE, CANCELLING -> {}
            // Not yet an entry: the turn ends it when its place in the queue comes.
            case STAGED -> operation.moveTo(Operation.State.CANCELLING);
            case IN_FLIGHT -> {
                operation.moveTo(Operation.State.CANCELLING);
                long target = slots.userData(operation);
                if (submissions.full()) {
                    waitingCancels.add(target);
                } else {
                    writeCancel(target);
                }
            }
        }
    }

    @Override
    public void turn(long waitNanos, Completions completions) {
        for (int i = 0; i < ENTERS_PER_TURN_MAX && !writeWaiting(completions); i++) {
            if (!enter(0, 0, completions)) {
                break;
            }
        }
        armWakeUp();
        boolean wait = waitNanos != 0
                && wakeUpArmed
                && completions.count() == 0
                && waiting.isEmpty()
                && !quietSends.undecided()
                && queue.available() == 0;
        enter(wait ? 1 : 0, waitNanos, completions);
    }

    @Override
    public void wake() {
        wakeUp.signal();
    }

    @Override
    public Capabilities capabilities() {
        return rungs.capabilities();
    }

    @Override
    public void close() {
        try {
            disarmWakeUp();
        } finally {
            buffers.close();
            ring.close();
            wakeUp.close();
        }
    }

    /** One system call, and everything that it brought; false when the kernel took nothing for the moment. */
    private boolean enter(int minComplete, long waitNanos, Completions completions) {
        int result = ring.enter(submissions.publish(), minComplete, waitNanos);
        counters.increment(Counter.ENTERS);
        boolean overflowed = queue.overflowed();
        if (overflowed) {
            counters.increment(Counter.OVERFLOWS);
        }
        int firstQuiet = completions.count();
        quietSends.settle(submissions.consumed(), !overflowed, completions);
        int lastQuiet = completions.count();
        int harvested = harvest(completions);
        for (int i = firstQuiet; i < lastQuiet; i++) {
            end(completions.operation(i));
        }
        if (result >= 0 || result == -Errno.ETIME || result == -Errno.EINTR) {
            return true;
        }
        if (result != -Errno.EAGAIN && result != -Errno.EBUSY && result != -Errno.ENOMEM) {
            throw new IllegalStateException("io_uring_enter: " + Errno.describe(-result));
        }
        counters.increment(Counter.SUBMISSIONS_REFUSED);
        if (harvested == 0 && completions.count() == 0) {
            clock.pause(REFUSED_PAUSE_NANOS);
        }
        return false;
    }

    /** Moves what is in the completion queue into the batch; its size bounds what is dispatched per turn. */
    private int harvest(Completions completions) {
        int count = queue.available();
        for (int i = 0; i < count; i++) {
            queue.next();
            take(queue.userData(), queue.result(), queue.flags(), completions);
        }
        if (count > 0) {
            queue.release();
        }
        return count;
    }

    private void take(long userData, int result, int flags, Completions completions) {
        int bufferId = -1;
        if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
            bufferId = flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
            buffers.named(bufferId);
        }
        Operation operation = userData < 0 && userData >= RESERVED_MIN ? null : slots.find(userData);
        if (operation == null) {
            takeUnowned(userData, result, bufferId);
            return;
        }
        boolean more = (flags & IoUring.IORING_CQE_F_MORE) != 0;
        if (bufferId >= 0 && result <= 0) {
            // The kernel picked a buffer and had no byte for it, as at the end of input.
            pool.give(bufferId);
            bufferId = -1;
        }
        if (result == -Errno.ENOBUFS) {
            counters.increment(Counter.ENOBUFS);
        }
        if (operation.quiet() && rungs.skippedCompletions()) {
            // It has its record already, unless the queue had overflowed when its entry was consumed.
            counters.increment(Counter.SHORT_SENDS);
            if (quietSends.failed(operation, result, completions)) {
                end(operation);
            }
            return;
        }
        if (!more) {
            end(operation);
        }
        completions.add(operation, result, more, bufferId);
    }

    private void takeUnowned(long userData, int result, int bufferId) {
        if (bufferId >= 0) {
            pool.give(bufferId);
        }
        if (userData == WAKE_UP) {
            wakeUpArmed = false;
        } else if (BufferRequests.offer(userData)) {
            if (result < 0) {
                int refused = BufferRequests.id(userData);
                buffers.named(refused);
                pool.give(refused);
            }
        } else if (userData != IGNORED) {
            counters.increment(Counter.STALE_COMPLETIONS);
        }
    }

    private void end(Operation operation) {
        slots.leave(operation);
        operation.moveTo(Operation.State.IDLE);
    }

    /** Moves what waits into the submission queue, offers of buffers first; whether nothing is left. */
    private boolean writeWaiting(Completions completions) {
        buffers.topUp(submissions);
        while (!waitingCancels.isEmpty()) {
            if (submissions.full()) {
                return false;
            }
            writeCancel(waitingCancels.remove());
        }
        while (!waiting.isEmpty()) {
            Operation operation = waiting.element();
            if (operation.state() == Operation.State.CANCELLING) {
                finish(waiting.remove(), -Errno.ECANCELED, completions);
            } else if (operation.kind() == Operation.Kind.SHUTDOWN) {
                finish(waiting.remove(), sockets.shutdown(operation.fd(), operation.flags()), completions);
            } else if (submissions.full()) {
                return false;
            } else {
                write(waiting.remove());
            }
        }
        return true;
    }

    private static void finish(Operation operation, int result, Completions completions) {
        operation.moveTo(Operation.State.IDLE);
        completions.add(operation, result, false, -1);
    }

    private void write(Operation operation) {
        long sqe = submissions.take();
        IoUringSqe.fd(sqe, operation.fd());
        IoUringSqe.userData(sqe, slots.enter(operation));
        operation.moveTo(Operation.State.IN_FLIGHT);
        switch (operation.kind()) {
            case SEND -> writeSend(sqe, operation, IoUring.IORING_OP_SEND, operation.length());
            case SEND_GATHER -> writeSend(sqe, operation, IoUring.IORING_OP_SENDMSG, 1);
            case RECEIVE -> writeReceive(sqe);
            case RECEIVE_INTO -> {
                IoUringSqe.opcode(sqe, IoUring.IORING_OP_RECV);
                IoUringSqe.addr(sqe, operation.address());
                IoUringSqe.len(sqe, operation.length());
            }
            case ACCEPT -> {
                IoUringSqe.opcode(sqe, IoUring.IORING_OP_ACCEPT);
                IoUringSqe.opFlags(sqe, acceptFlags);
                IoUringSqe.ioprio(sqe, rungs.multishotAccept() ? IoUring.IORING_ACCEPT_MULTISHOT : 0);
            }
            case CONNECT -> {
                IoUringSqe.opcode(sqe, IoUring.IORING_OP_CONNECT);
                IoUringSqe.addr(sqe, operation.address());
                IoUringSqe.off(sqe, operation.length());
            }
            case POLL -> {
                IoUringSqe.opcode(sqe, IoUring.IORING_OP_POLL_ADD);
                IoUringSqe.opFlags(sqe, operation.flags());
            }
            case CLOSE -> IoUringSqe.opcode(sqe, IoUring.IORING_OP_CLOSE);
            case SHUTDOWN -> throw new AssertionError("carried out by the turn itself");
        }
    }

    /**
     * WAITALL makes the kernel go on after a short send, so that one completion means all bytes. A quiet one may not
     * wait for room (DONTWAIT), for only then it is over when the entry is consumed.
     */
    private void writeSend(long sqe, Operation operation, int opcode, int length) {
        IoUringSqe.opcode(sqe, opcode);
        IoUringSqe.addr(sqe, operation.address());
        IoUringSqe.len(sqe, length);
        int flags = Socket.MSG_NOSIGNAL | Socket.MSG_WAITALL;
        if (operation.quiet() && rungs.skippedCompletions()) {
            flags |= Socket.MSG_DONTWAIT;
            IoUringSqe.flags(sqe, IoUring.IOSQE_CQE_SKIP_SUCCESS);
            quietSends.submitted(submissions.position(), operation);
        }
        IoUringSqe.opFlags(sqe, flags);
    }

    private void writeReceive(long sqe) {
        IoUringSqe.opcode(sqe, IoUring.IORING_OP_RECV);
        IoUringSqe.flags(sqe, IoUring.IOSQE_BUFFER_SELECT);
        IoUringSqe.bufGroup(sqe, BufferSupply.GROUP);
        IoUringSqe.ioprio(sqe, rungs.multishotReceive() ? IoUring.IORING_RECV_MULTISHOT : 0);
    }

    private void writeCancel(long target) {
        long sqe = submissions.take();
        IoUringSqe.opcode(sqe, IoUring.IORING_OP_ASYNC_CANCEL);
        IoUringSqe.fd(sqe, -1);
        IoUringSqe.addr(sqe, target);
        IoUringSqe.userData(sqe, IGNORED);
    }

    private void armWakeUp() {
        if (!wakeUpArmed && !submissions.full()) {
            wakeUpArmed = true;
            long sqe = submissions.take();
            IoUringSqe.opcode(sqe, IoUring.IORING_OP_READ);
            IoUringSqe.fd(sqe, wakeUp.fd());
            IoUringSqe.addr(sqe, wakeUp.drainAddress());
            IoUringSqe.len(sqe, Long.BYTES);
            IoUringSqe.off(sqe, -1);
            IoUringSqe.userData(sqe, WAKE_UP);
        }
    }

    /** The kernel writes to the eventfd's memory until its read has ended: end it by what it waits for. */
    private void disarmWakeUp() {
        Completions none = new Completions(16);
        for (int i = 0; i < 8 && wakeUpArmed; i++) {
            wakeUp.signal();
            enter(1, 100_000_000L, none);
        }
    }

    /** How many operations the kernel holds; for tests and shutdown. */
    int inFlight() {
        return slots.count();
    }
}
