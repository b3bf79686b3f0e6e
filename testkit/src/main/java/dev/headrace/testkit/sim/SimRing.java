package dev.headrace.testkit.sim;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.Poll;
import dev.headrace.engine.uring.Ring;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A ring of the simulated machine. Requests are tried when they are taken; those that have to wait are tried again when their
 * file is woken, by work that runs when the ring is entered (with DEFER_TASKRUN) or at once (without).
 *
 * <p>Thread: the simulation's. Owns: its queues, and a hold on the file of each request.
 */
final class SimRing extends SimFile implements Ring, SimFile.Watcher {
    private static final int LATE_NANOS_MAX = 3_000_000;

    private final SimKernel kernel;
    private final boolean deferred;
    private final Arena arena = Arena.ofAuto();
    private final int submissionEntries;
    private final long submissionCounters;
    private final long sqes;
    private final SimCompletions completions;
    private final SimBuffers buffers = new SimBuffers();
    private final SimOperations operations;
    private final int fd;

    /** Requests that wait, by what they wait for. */
    private final Map<SimFile, List<SimRequest>> armed = new IdentityHashMap<>();

    private final Map<Long, SimRequest> byUserData = new HashMap<>();
    /** All user data that has named an operation. */
    private final Set<Long> names = new HashSet<>();
    /** Requests to be tried again. */
    private final ArrayDeque<SimRequest> work = new ArrayDeque<>();

    /** By starved file: how many buffers had been published when it found none. */
    private final Map<SimFile, Long> starved = new IdentityHashMap<>();

    private boolean closed;

    SimRing(SimKernel kernel, SimSockets sockets, int submissionEntries, int completionEntries, boolean deferred) {
        this.kernel = kernel;
        this.deferred = deferred;
        this.submissionEntries = submissionEntries;
        this.submissionCounters = arena.allocate(16, 8).address();
        this.sqes =
                arena.allocate((long) submissionEntries * IoUringSqe.SIZE, 64).address();
        this.completions = new SimCompletions(kernel, arena, completionEntries);
        this.operations = new SimOperations(kernel, sockets, this, buffers);
        this.fd = kernel.install(this);
    }

    // ---- entering

    @Override
    public int enter(int toSubmit, int minComplete, long waitNanos) {
        long fromNanos = kernel.nowNanos();
        kernel.pass(1_000);
        int refused = toSubmit == 0 ? 0 : refusal();
        if (refused < 0) {
            kernel.asked(false);
            return refused;
        }
        int taken = toSubmit > 1 && kernel.strikes(Mark.PARTIAL_SUBMIT, 40)
                ? kernel.chance().between(1, toSubmit - 1)
                : toSubmit;
        consume(taken);
        if (taken < toSubmit) {
            // A batch that is not taken whole ends the call before it waits or looks for events (io_uring_enter).
            kernel.asked(false);
            return taken;
        }
        completions.moveIn();
        runWork();
        int result = taken;
        if (minComplete > completions.available()) {
            result = await(taken, minComplete, waitNanos);
        }
        kernel.asked(kernel.nowNanos() - fromNanos > 10_000);
        return result;
    }

    private int refusal() {
        if (completions.overflowed() && kernel.strikes(Mark.ENTER_BUSY, 4)) {
            completions.moveIn();
            return -Errno.EBUSY;
        }
        return kernel.strikes(Mark.ENTER_AGAIN, 120) ? -Errno.EAGAIN : 0;
    }

    private int await(int taken, int minComplete, long waitNanos) {
        if (kernel.strikes(Mark.WAIT_INTERRUPTED, 50)) {
            return taken > 0 ? taken : -Errno.EINTR;
        }
        kernel.sleep(waitNanos, () -> {
            runWork();
            return completions.available() >= minComplete;
        });
        boolean enough = completions.available() >= minComplete;
        return enough || taken > 0 ? taken : -Errno.ETIME;
    }

    private void consume(int count) {
        int head = Memory.getInt(submissionHead());
        for (int i = 0; i < count; i++) {
            long sqe = sqes + (long) (head++ & (submissionEntries - 1)) * IoUringSqe.SIZE;
            Memory.putIntRelease(submissionHead(), head);
            begin(sqe);
        }
    }

    /** An answer or a cancellation that comes late must find nobody; negative user data names no operation. */
    private void requireNewName(SimRequest request) {
        if (kernel.careful() && request.userData >= 0 && !names.add(request.userData)) {
            throw new Violation(Violation.Rule.ENDS_ONCE, "user data names a second submission: " + request);
        }
    }

    private void begin(long sqe) {
        int opcode = IoUringSqe.opcode(sqe);
        boolean ofFile = opcode != IoUring.IORING_OP_ASYNC_CANCEL && opcode != IoUring.IORING_OP_PROVIDE_BUFFERS;
        @Nullable SimFile file = ofFile ? kernel.file(IoUringSqe.fd(sqe)) : null;
        SimRequest request = new SimRequest(sqe, file);
        requireNewName(request);
        switch (opcode) {
            case IoUring.IORING_OP_ASYNC_CANCEL -> {
                kernel.progressed();
                finishUnheld(request, cancel(request.address));
            }
            case IoUring.IORING_OP_PROVIDE_BUFFERS -> finishUnheld(request, operations.offer(request));
            case IoUring.IORING_OP_CLOSE -> finishUnheld(request, kernel.close(request.fd));
            default -> {
                if (file == null) {
                    finishUnheld(request, -Errno.EBADF);
                    return;
                }
                file.hold();
                if (byUserData.put(request.userData, request) != null) {
                    throw new Violation(Violation.Rule.ENDS_ONCE, "two requests with one user data: " + request);
                }
                operations.attempt(request);
                if (!request.ended) {
                    arm(request, file);
                }
            }
        }
    }

    private void arm(SimRequest request, SimFile file) {
        List<SimRequest> waiting = armed.get(file);
        if (waiting == null) {
            waiting = new ArrayList<>(2);
            armed.put(file, waiting);
            file.watch(this);
        }
        waiting.add(request);
    }

    private void disarm(SimRequest request, SimFile file) {
        @Nullable List<SimRequest> waiting = armed.get(file);
        if (waiting != null && waiting.remove(request) && waiting.isEmpty()) {
            armed.remove(file);
            file.unwatch(this);
        }
    }

    // ---- what waits

    @Override
    public void woken(SimFile file) {
        for (SimRequest request : List.copyOf(armed.getOrDefault(file, List.of()))) {
            if ((SimOperations.awaited(request) & file.readiness()) != 0 && !request.queued) {
                request.queued = true;
                if (kernel.strikes(Mark.LATE_COMPLETION, 8)) {
                    kernel.at(kernel.chance().below(LATE_NANOS_MAX), () -> tryAgain(request));
                } else {
                    tryAgain(request);
                }
            }
        }
    }

    void tryAgain(SimRequest request) {
        if (request.ended || closed) {
            return;
        }
        work.add(request);
        if (!deferred) {
            runWork();
        }
    }

    private void runWork() {
        if (work.size() > 1 && kernel.strikes(Mark.REORDERED_COMPLETIONS, 10)) {
            List<SimRequest> shuffled = new ArrayList<>(work);
            Collections.rotate(shuffled, kernel.chance().between(1, shuffled.size() - 1));
            work.clear();
            work.addAll(shuffled);
        }
        for (int i = work.size(); i > 0; i--) {
            SimRequest request = work.remove();
            request.queued = false;
            if (!request.ended) {
                operations.attempt(request);
            }
        }
    }

    // ---- completions

    /** Tells one answer of several. */
    void post(SimRequest request, int result, int flags) {
        completions.post(request.userData, result, flags);
        kernel.progressed();
        wake();
    }

    boolean completionsFull() {
        return completions.full();
    }

    /** Tells the last answer, unless the request asked to be spared of good news. */
    void finish(SimRequest request, int result, int flags, boolean failed) {
        request.requireUntouched();
        request.ended = true;
        byUserData.remove(request.userData);
        SimFile file = Objects.requireNonNull(request.file);
        disarm(request, file);
        file.letGo();
        if (failed || !request.has(IoUring.IOSQE_CQE_SKIP_SUCCESS)) {
            completions.post(request.userData, result, flags);
        }
        if (result != -Errno.ENOBUFS) {
            kernel.progressed();
        }
        wake();
    }

    private void finishUnheld(SimRequest request, int result) {
        if (result < 0 || !request.has(IoUring.IOSQE_CQE_SKIP_SUCCESS)) {
            completions.post(request.userData, result, 0);
            wake();
        }
    }

    /** A receive found no buffer. It may do so again only after one was published. */
    void noBuffers(SimRequest request) {
        kernel.marks().met(Mark.NO_BUFFERS);
        SimFile file = Objects.requireNonNull(request.file);
        @Nullable Long before = starved.put(file, buffers.published());
        if (before != null && before == buffers.published()) {
            throw new Violation(
                    Violation.Rule.SPIN, "a receive was armed again although no buffer had come back: " + request);
        }
        finish(request, -Errno.ENOBUFS, 0, true);
    }

    // ---- cancelling

    private int cancel(long userData) {
        @Nullable SimRequest target = byUserData.get(userData);
        if (target == null) {
            kernel.marks().met(Mark.CANCEL_TOO_LATE);
            return -Errno.ENOENT;
        }
        SimFile file = Objects.requireNonNull(target.file);
        boolean ready = (SimOperations.awaited(target) & file.readiness()) != 0;
        if (ready && kernel.chance().below(2) == 0) {
            operations.attempt(target);
            if (target.ended) {
                kernel.marks().met(Mark.CANCEL_TOO_LATE);
                return -Errno.ENOENT;
            }
            kernel.marks().met(Mark.DATA_BEFORE_CANCEL);
        } else if (ready) {
            kernel.marks().met(Mark.CANCEL_FIRST);
        }
        if (target.done > 0) {
            kernel.marks().met(Mark.CANCELLED_SEND_PARTIAL);
        }
        int result = target.done > 0 ? target.done : -Errno.ECANCELED;
        if (kernel.strikes(Mark.LATE_COMPLETION, 10)) {
            disarm(target, file);
            kernel.at(kernel.chance().below(LATE_NANOS_MAX), () -> end(target, result));
        } else {
            end(target, result);
        }
        return 0;
    }

    private void end(SimRequest target, int result) {
        if (!target.ended && !closed) {
            finish(target, result, 0, true);
        }
    }

    // ---- what is mapped and registered

    @Override
    public int register(int opcode, long argument, int count) {
        switch (opcode) {
            case IoUring.IORING_REGISTER_PBUF_RING -> buffers.register(argument);
            case IoUring.IORING_UNREGISTER_PBUF_RING -> buffers.unregister();
            default -> {}
        }
        return 0;
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
        return completions.entries();
    }

    @Override
    public long submissionHead() {
        return submissionCounters;
    }

    @Override
    public long submissionTail() {
        return submissionCounters + 4;
    }

    @Override
    public long submissionFlags() {
        return completions.flagsAddress();
    }

    @Override
    public long submissionArray() {
        return sqes;
    }

    @Override
    public long completionHead() {
        return completions.headAddress();
    }

    @Override
    public long completionTail() {
        return completions.tailAddress();
    }

    @Override
    public long completionArray() {
        return completions.arrayAddress();
    }

    @Override
    int readiness() {
        return completions.available() > 0 || completions.overflowed() ? Poll.POLLIN : 0;
    }

    /** The requests that have not ended. */
    int inFlight() {
        return byUserData.size();
    }

    @Override
    public void close() {
        if (!closed) {
            kernel.close(fd);
        }
    }

    @Override
    void released() {
        closed = true;
        if (!byUserData.isEmpty()) {
            throw new Violation(
                    Violation.Rule.BASELINE, "a ring was closed with requests in flight: " + byUserData.values());
        }
    }
}
