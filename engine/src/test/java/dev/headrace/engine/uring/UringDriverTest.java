package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver between a loop and a kernel that the test plays: full queues, refusals, late and stale answers. */
class UringDriverTest {
    private static final Rungs RUNGS =
            new Rungs(0, true, true, true, true, false, false, false, new Capabilities(List.of()));
    private static final long IGNORED = -1;
    private static final long WAKE_UP = -2;
    private static final int SUBMISSIONS = 4;
    private static final int COMPLETIONS = 8;

    private final MemoryRing ring = new MemoryRing(SUBMISSIONS, COMPLETIONS, -2);
    private final BufferPool pool = new BufferPool(8, 64, Runnable::run, Thread.currentThread());
    private final FakeSockets sockets = new FakeSockets();
    private final Counters counters = new Counters();
    private final Completions records = new Completions(COMPLETIONS);
    private final List<String> seen = new ArrayList<>();
    private UringDriver driver = newDriver();

    private UringDriver newDriver() {
        try {
            SystemCalls calls = new SystemCalls();
            BufferRing buffers = BufferRing.register(calls, ring, pool, 4);
            EventFd wakeUp = new LinuxEventFd(calls, false);
            Surroundings surroundings = new Surroundings(sockets, Clock.SYSTEM, nonBlocking -> wakeUp, pool, counters);
            return new UringDriver(ring, RUNGS, buffers, wakeUp, surroundings);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void settleTheWakeUp() {
        driver.turn(0, records);
        assertThat(ring.submitted()).hasSize(1).allMatch(s -> s.userData() == WAKE_UP);
        ring.submitted().clear();
    }

    private static Operation operation() {
        return new Operation((o, result, more, bufferId) -> {});
    }

    private static Operation receive(int fd) {
        return operation().prepareReceive(fd);
    }

    private static Operation send(int fd) {
        return operation().prepareSend(fd, 4096, 100, null);
    }

    /** One turn; tells the records as text: descriptor, result, whether more come. */
    private List<String> turn(long waitNanos) {
        records.clear();
        driver.turn(waitNanos, records);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < records.count(); i++) {
            told.add(records.operation(i).fd() + ":" + records.result(i) + (records.more(i) ? "+" : ""));
        }
        seen.addAll(told);
        return told;
    }

    private long userDataOf(int fd) {
        return ring.submitted().stream()
                .filter(s -> s.fd() == fd)
                .reduce((first, last) -> last)
                .map(Submission::userData)
                .orElseThrow();
    }

    @Test
    void moreThanTheQueueHoldsGoesInOrder() {
        for (int fd = 10; fd < 60; fd++) {
            driver.stage(receive(fd));
        }
        turn(0);
        assertThat(ring.submitted()).extracting(Submission::fd).containsExactlyElementsOf(range(10, 60));
        assertThat(driver.inFlight()).isEqualTo(50);
    }

    private static List<Integer> range(int from, int to) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    /** EAGAIN and EBUSY: nothing was taken, so everything is still to be submitted, once. */
    @Test
    void whatTheKernelRefusesStays() {
        int[] refusals = {-Errno.EAGAIN, -Errno.EBUSY, -Errno.EAGAIN};
        int[] call = {0};
        ring.kernel((toSubmit, minComplete, waitNanos) ->
                call[0] < refusals.length ? refusals[call[0]++] : ring.consume(toSubmit));
        for (int fd = 10; fd < 20; fd++) {
            driver.stage(receive(fd));
        }
        for (int i = 0; i < 5; i++) {
            turn(0);
        }
        assertThat(ring.submitted()).extracting(Submission::fd).containsExactlyElementsOf(range(10, 20));
        assertThat(counters.get(Counter.SUBMISSIONS_REFUSED)).isEqualTo(3);
    }

    /** The kernel may take a part of the batch. */
    @Test
    void whatTheKernelTakesInPartIsNotSubmittedTwice() {
        ring.kernel((toSubmit, minComplete, waitNanos) -> ring.consume(Math.min(1, toSubmit)));
        for (int fd = 10; fd < 16; fd++) {
            driver.stage(send(fd).quietly());
        }
        for (int i = 0; i < 12; i++) {
            turn(0);
        }
        assertThat(ring.submitted()).extracting(Submission::fd).containsExactlyElementsOf(range(10, 16));
        assertThat(seen).containsExactly("10:100", "11:100", "12:100", "13:100", "14:100", "15:100");
    }

    @Test
    void anErrorThatIsNotForTheMomentIsThrown() {
        ring.kernel((toSubmit, minComplete, waitNanos) -> -Errno.EBADF);
        assertThatThrownBy(() -> turn(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("io_uring_enter")
                .hasMessageContaining("EBADF");
    }

    @Test
    void timeOutAndInterruptionAreNormal() {
        ring.kernel((toSubmit, minComplete, waitNanos) -> {
            ring.consume(toSubmit);
            return -Errno.ETIME;
        });
        driver.stage(receive(10));
        assertThat(turn(1000)).isEmpty();
        assertThat(ring.lastEnterWaited()).isTrue();
        ring.kernel((toSubmit, minComplete, waitNanos) -> -Errno.EINTR);
        assertThat(turn(-1)).isEmpty();
        assertThat(counters.get(Counter.SUBMISSIONS_REFUSED)).isZero();
    }

    @Test
    void aMultishotReceiveAnswersManyTimes() {
        driver.stage(receive(10));
        turn(0);
        long userData = userDataOf(10);
        int more = IoUring.IORING_CQE_F_MORE;
        ring.complete(userData, 5, more | buffer(0));
        ring.complete(userData, 6, more | buffer(1));
        assertThat(turn(0)).containsExactly("10:5+", "10:6+");
        ring.complete(userData, 0, 0);
        assertThat(turn(0)).containsExactly("10:0");
        assertThat(driver.inFlight()).isZero();
    }

    private static int buffer(int id) {
        return IoUring.IORING_CQE_F_BUFFER | id << IoUring.IORING_CQE_BUFFER_SHIFT;
    }

    /** The ring is topped up from the pool, and a buffer picked in vain comes back. */
    @Test
    void buffersThatCarryNothingAreGivenBack() {
        assertThat(pool.freeCount()).isEqualTo(4);
        driver.stage(receive(10));
        turn(0);
        ring.complete(userDataOf(10), 0, buffer(0));
        assertThat(turn(0)).containsExactly("10:0");
        assertThat(records.bufferId(0)).isEqualTo(-1);
        assertThat(pool.freeCount()).isEqualTo(5);
        turn(0);
        assertThat(pool.freeCount()).as("after the next top-up").isEqualTo(4);
        driver.stage(receive(11));
        turn(0);
        ring.complete(userDataOf(11), -Errno.ENOBUFS, 0);
        assertThat(turn(0)).containsExactly("11:" + -Errno.ENOBUFS);
        assertThat(counters.get(Counter.ENOBUFS)).isEqualTo(1);
    }

    @Test
    void aStaleAnswerIsCountedAndReachesNobody() {
        Operation first = receive(10);
        driver.stage(first);
        turn(0);
        long stale = userDataOf(10);
        ring.complete(stale, 0, 0);
        turn(0);
        driver.stage(receive(11));
        turn(0);
        ring.complete(stale, 7, buffer(0));
        int free = pool.freeCount();
        assertThat(turn(0)).isEmpty();
        assertThat(counters.get(Counter.STALE_COMPLETIONS)).isEqualTo(1);
        assertThat(pool.freeCount()).as("its buffer came back").isEqualTo(free + 1);
    }

    @Test
    void cancellingTakesEffectWhereverTheOperationIs() {
        // In flight: the kernel is asked.
        Operation flying = receive(10);
        driver.stage(flying);
        turn(0);
        driver.cancel(flying);
        driver.cancel(flying);
        turn(0);
        Submission cancel = ring.submitted().getLast();
        assertThat(cancel.opcode()).isEqualTo(IoUring.IORING_OP_ASYNC_CANCEL);
        assertThat(cancel.address()).isEqualTo(userDataOf(10));
        assertThat(ring.submitted()).filteredOn(s -> s.userData() == IGNORED).hasSize(1);
        ring.complete(IGNORED, 0, 0);
        ring.complete(userDataOf(10), -Errno.ECANCELED, 0);
        assertThat(turn(0)).containsExactly("10:" + -Errno.ECANCELED);
        // Idle: nothing to end.
        driver.cancel(flying);
        assertThat(turn(0)).isEmpty();
        assertThat(counters.get(Counter.STALE_COMPLETIONS)).isZero();
    }

    @Test
    void anOperationThatWaitsIsCancelledWithoutBeingSubmitted() {
        for (int fd = 10; fd < 14; fd++) {
            driver.stage(receive(fd));
        }
        Operation waiting = receive(20);
        driver.stage(waiting);
        driver.cancel(waiting);
        assertThat(turn(0)).containsExactly("20:" + -Errno.ECANCELED);
        assertThat(ring.submitted()).extracting(Submission::fd).doesNotContain(20);
    }

    @Test
    void aCancellationFindsTheQueueFull() {
        Operation flying = receive(10);
        driver.stage(flying);
        turn(0);
        for (int fd = 20; fd < 24; fd++) {
            driver.stage(receive(fd));
        }
        driver.cancel(flying);
        turn(0);
        assertThat(ring.submitted()).filteredOn(s -> s.userData() == IGNORED).hasSize(1);
    }

    @Test
    void aQuietSendIsOverWhenItsEntryIsConsumed() {
        driver.stage(send(10).quietly());
        assertThat(turn(0)).containsExactly("10:100");
        Submission submission = ring.submitted().getFirst();
        assertThat(submission.flags() & IoUring.IOSQE_CQE_SKIP_SUCCESS).isNotZero();
        assertThat(driver.inFlight()).isZero();
        // A send that somebody waits for has a completion of its own.
        driver.stage(send(11));
        assertThat(turn(0)).isEmpty();
        assertThat(ring.submitted().getLast().flags() & IoUring.IOSQE_CQE_SKIP_SUCCESS)
                .isZero();
        ring.complete(userDataOf(11), 60, 0);
        assertThat(turn(0)).containsExactly("11:60");
    }

    @Test
    void theFailureOfAQuietSendCorrectsItsRecord() {
        ring.kernel((toSubmit, minComplete, waitNanos) -> {
            int consumed = ring.consume(toSubmit);
            for (Submission submission : List.copyOf(ring.submitted())) {
                if (submission.fd() == 11) {
                    ring.complete(submission.userData(), -Errno.EAGAIN, 0);
                } else if (submission.fd() == 12) {
                    ring.complete(submission.userData(), -Errno.EPIPE, 0);
                }
            }
            return consumed;
        });
        driver.stage(send(10).quietly());
        driver.stage(send(11).quietly());
        driver.stage(send(12).quietly());
        assertThat(turn(0)).containsExactly("10:100", "11:0", "12:" + -Errno.EPIPE);
        assertThat(driver.inFlight()).isZero();
        ring.kernel((toSubmit, minComplete, waitNanos) -> ring.consume(toSubmit));
        assertThat(turn(0)).isEmpty();
        assertThat(counters.get(Counter.STALE_COMPLETIONS)).isZero();
    }

    /** Completions kept aside may hold the failure: no verdict on a quiet send before they are in. */
    @Test
    void anOverflowPutsTheVerdictOnQuietSendsOff() {
        List<Operation> receives = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            receives.add(receive(20 + i));
            driver.stage(receives.get(i));
            turn(0);
        }
        ring.kernel((toSubmit, minComplete, waitNanos) -> {
            int consumed = ring.consume(toSubmit);
            for (int i = 0; i < 12; i++) {
                ring.complete(userDataOf(20 + i), -Errno.ECONNRESET, 0);
            }
            ring.complete(userDataOf(10), -Errno.EPIPE, 0);
            return consumed;
        });
        driver.stage(send(10).quietly());
        driver.stage(send(11).quietly());
        List<String> told = turn(-1);
        assertThat(told).hasSize(COMPLETIONS).noneMatch(t -> t.startsWith("10:") || t.startsWith("11:"));
        assertThat(counters.get(Counter.OVERFLOWS)).isPositive();
        ring.kernel((toSubmit, minComplete, waitNanos) -> ring.consume(toSubmit));
        told = turn(-1);
        assertThat(ring.lastEnterWaited())
                .as("waiting with a verdict outstanding")
                .isFalse();
        turn(0);
        assertThat(seen).contains("10:" + -Errno.EPIPE, "11:100").hasSize(14).doesNotHaveDuplicates();
        assertThat(driver.inFlight()).isZero();
        assertThat(told).isNotEmpty();
    }

    @Test
    void shutdownIsCarriedOutInOrderWithoutTheRing() {
        sockets.answers("shutdown 10", -Errno.ENOTCONN);
        driver.stage(operation().prepareShutdown(10, 1));
        driver.stage(operation().prepareClose(10));
        assertThat(turn(0)).containsExactly("10:" + -Errno.ENOTCONN);
        assertThat(sockets.calls()).containsExactly("shutdown 10");
        assertThat(ring.submitted().getLast().opcode()).isEqualTo(IoUring.IORING_OP_CLOSE);
    }

    @Test
    void waitsOnlyWhenThereIsNothingToTell() {
        assertThat(turn(-1)).isEmpty();
        assertThat(ring.lastEnterWaited()).isTrue();
        turn(0);
        assertThat(ring.lastEnterWaited()).isFalse();
        driver.stage(operation().prepareShutdown(10, 1));
        turn(-1);
        assertThat(ring.lastEnterWaited()).as("with a record to tell").isFalse();
    }

    @Test
    void theWakeUpIsArmedAgainOnceItWasUsed() {
        ring.complete(WAKE_UP, 8, 0);
        turn(0);
        turn(-1);
        assertThat(ring.submitted()).filteredOn(s -> s.userData() == WAKE_UP).hasSize(1);
        turn(-1);
        assertThat(ring.submitted()).filteredOn(s -> s.userData() == WAKE_UP).hasSize(1);
    }
}
