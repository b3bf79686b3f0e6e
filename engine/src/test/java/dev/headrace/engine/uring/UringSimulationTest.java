package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.FakeSockets;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.LinuxEventFd;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.uring.MemoryRing.Submission;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A kernel that does whatever it may: takes parts of batches, refuses, overflows, answers late and in any order. Each
 * operation gets its records and exactly one last one, whatever happens.
 */
class UringSimulationTest {
    private static final Rungs RUNGS =
            new Rungs(0, true, true, true, true, false, false, false, new Capabilities(List.of()));
    private static final int STEPS = 20_000;

    private final MemoryRing ring = new MemoryRing(4, 8, -100);
    private final BufferPool pool = new BufferPool(16, 64, Runnable::run, Thread.currentThread());
    private final Counters counters = new Counters();
    private final Completions records = new Completions(8);
    /** What the kernel holds and has not answered. */
    private final List<Submission> held = new ArrayList<>();
    /** The last answer of each send, by descriptor, as the kernel gave it. */
    private final Map<Integer, Integer> answers = new HashMap<>();

    private final Set<Operation> staged = new HashSet<>();

    private int seenSubmissions;
    private int nextFd = 100;
    private boolean quiet;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void eachOperationEndsExactlyOnce(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        SystemCalls calls = new SystemCalls();
        BufferRing buffers = BufferRing.register(calls, ring, pool, 8);
        EventFd wakeUp = new LinuxEventFd(calls, false);
        Surroundings surroundings =
                new Surroundings(new FakeSockets(), Clock.SYSTEM, nonBlocking -> wakeUp, pool, counters);
        UringDriver driver = new UringDriver(ring, RUNGS, buffers, wakeUp, surroundings);
        ring.kernel((toSubmit, minComplete, waitNanos) -> enter(random, toSubmit));
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(3) > 0 && staged.size() < 60) {
                stage(driver, random);
            }
            if (random.nextInt(6) == 0 && !staged.isEmpty()) {
                List<Operation> all = new ArrayList<>(staged);
                driver.cancel(all.get(random.nextInt(all.size())));
            }
            if (random.nextInt(4) == 0) {
                turn(driver);
            }
        }
        quiet = true;
        for (int i = 0; i < 1_000 && !staged.isEmpty(); i++) {
            turn(driver);
        }
        assertThat(staged).as("operations that never ended").isEmpty();
        assertThat(driver.inFlight()).isZero();
        assertThat(counters.get(Counter.STALE_COMPLETIONS)).isZero();
        assertThat(counters.get(Counter.OVERFLOWS)).as("overflows provoked").isPositive();
        assertThat(counters.get(Counter.SUBMISSIONS_REFUSED))
                .as("refusals provoked")
                .isPositive();
    }

    private void stage(UringDriver driver, SplittableRandom random) {
        int fd = nextFd++;
        Operation operation = new Operation((o, result, more, bufferId) -> {});
        switch (random.nextInt(4)) {
            case 0 -> operation.prepareReceive(fd);
            case 1 -> operation.prepareSend(fd, 4096, 100, null);
            default -> operation.prepareSend(fd, 4096, 100, null).quietly();
        }
        staged.add(operation);
        driver.stage(operation);
    }

    private void turn(UringDriver driver) {
        records.clear();
        driver.turn(0, records);
        for (int i = 0; i < records.count(); i++) {
            Operation operation = records.operation(i);
            assertThat(staged)
                    .as("a record of one that has ended: " + operation)
                    .contains(operation);
            if (records.bufferId(i) >= 0) {
                assertThat(records.result(i)).isPositive();
                pool.give(records.bufferId(i));
            }
            if (!records.more(i)) {
                requireTruth(operation, records.result(i));
                staged.remove(operation);
                assertThat(operation.idle()).isTrue();
            }
        }
    }

    /** The record says what the kernel said; a send that the kernel said nothing of has succeeded. */
    private void requireTruth(Operation operation, int result) {
        @Nullable Integer answer = answers.get(operation.fd());
        if (operation.kind() == Operation.Kind.SEND && result != -Errno.ECANCELED) {
            int expected = answer == null ? operation.length() : answer;
            boolean nothingTaken = operation.quiet() && expected == -Errno.EAGAIN;
            assertThat(result).as(operation.toString()).isEqualTo(nothingTaken ? 0 : expected);
        }
    }

    private int enter(SplittableRandom random, int toSubmit) {
        if (!quiet && random.nextInt(10) == 0) {
            return random.nextBoolean() ? -Errno.EAGAIN : -Errno.EBUSY;
        }
        int taken = quiet ? toSubmit : random.nextInt(toSubmit + 1);
        ring.consume(taken);
        List<Submission> fresh = List.copyOf(
                ring.submitted().subList(seenSubmissions, ring.submitted().size()));
        seenSubmissions = ring.submitted().size();
        fresh.forEach(submission -> begin(random, submission));
        boolean burst = quiet || random.nextInt(20) == 0;
        for (int i = held.size() - 1; i >= 0; i--) {
            if (burst || random.nextInt(4) == 0) {
                progress(random, held.get(i), i);
            }
        }
        return taken;
    }

    private void begin(SplittableRandom random, Submission submission) {
        if (submission.opcode() == IoUring.IORING_OP_ASYNC_CANCEL) {
            boolean found = held.removeIf(other -> {
                boolean meant = other.userData() == submission.address();
                if (meant) {
                    answers.put(other.fd(), -Errno.ECANCELED);
                    ring.complete(other.userData(), -Errno.ECANCELED, 0);
                }
                return meant;
            });
            ring.complete(submission.userData(), found ? 0 : -Errno.ENOENT, 0);
        } else if ((submission.flags() & IoUring.IOSQE_CQE_SKIP_SUCCESS) != 0) {
            // It may not wait, so its failure is told in this very call.
            int failure = new int[] {0, 0, -Errno.EAGAIN, -Errno.EPIPE, 40}[random.nextInt(5)];
            if (failure != 0) {
                answers.put(submission.fd(), failure);
                ring.complete(submission.userData(), failure, 0);
            }
        } else if (submission.opcode() != IoUring.IORING_OP_READ) {
            held.add(submission);
        }
    }

    private void progress(SplittableRandom random, Submission submission, int index) {
        boolean receive = submission.opcode() == IoUring.IORING_OP_RECV;
        if (receive && !quiet && random.nextInt(3) > 0) {
            // Without a buffer: which of them the kernel would take is not what this test is about.
            ring.complete(submission.userData(), 1, IoUring.IORING_CQE_F_MORE);
            return;
        }
        held.remove(index);
        int answer = receive ? 0 : new int[] {100, 30, -Errno.ECONNRESET}[random.nextInt(3)];
        answers.put(submission.fd(), answer);
        ring.complete(submission.userData(), answer, 0);
    }
}
