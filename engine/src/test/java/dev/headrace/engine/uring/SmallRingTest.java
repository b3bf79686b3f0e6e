package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.Socket;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.LinuxEventFd;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.socket.LinuxSockets;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The real kernel on a ring that is far too small: what finds no room waits, and nothing is lost. */
class SmallRingTest {
    private static final int SUBMISSIONS = 4;
    private static final int COMPLETIONS = 8;
    private static final int PAIRS = 100;
    private static final int TURNS_MAX = 2_000;

    private final SystemCalls calls = new SystemCalls();
    private final Counters counters = new Counters();
    private final Completions records = new Completions(COMPLETIONS);
    private final BufferPool pool = new BufferPool(256, 64, Runnable::run, Thread.currentThread());
    private final Arena arena = Arena.ofConfined();
    private final long bytes = arena.allocate(4096, 8).address();
    private final List<int[]> pairs = new ArrayList<>();
    /** Records per descriptor: the sum of what was positive, and the last result. */
    private final Map<Integer, Integer> positive = new HashMap<>();

    private final Map<Integer, Integer> last = new HashMap<>();
    private UringDriver driver = unopened();

    /** The driver belongs to the thread that opens it, which is the one that runs the tests. */
    private static UringDriver unopened() {
        String because = UringBackend.unavailableBecause();
        assumeTrue(because == null, because);
        return open(new SystemCalls(), new Counters(), new BufferPool(1, 1, Runnable::run, Thread.currentThread()));
    }

    private static UringDriver open(SystemCalls calls, Counters counters, BufferPool pool) {
        try {
            Surroundings surroundings = new Surroundings(
                    new LinuxSockets(calls),
                    Clock.SYSTEM,
                    nonBlocking -> new LinuxEventFd(calls, nonBlocking),
                    pool,
                    counters);
            return (UringDriver)
                    UringBackend.open(new LinuxRings(calls), surroundings, Set.of(), SUBMISSIONS, COMPLETIONS, 256);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void open() {
        driver.close();
        driver = open(calls, counters, pool);
        for (int i = 0; i < PAIRS; i++) {
            long pair = arena.allocate(8, 4).address();
            assertThat(calls.socketpair(Socket.AF_UNIX, Socket.SOCK_STREAM | Socket.SOCK_CLOEXEC, 0, pair))
                    .isZero();
            pairs.add(new int[] {Memory.getInt(pair), Memory.getInt(pair + 4)});
        }
    }

    @AfterEach
    void close() {
        assertThat(driver.inFlight()).isZero();
        driver.close();
        for (int[] pair : pairs) {
            calls.close(pair[0]);
            calls.close(pair[1]);
        }
        assertThat(pool.freeCount()).as("slices that came back").isEqualTo(pool.count());
        assertThat(counters.get(Counter.STALE_COMPLETIONS)).isZero();
        pool.close();
        arena.close();
    }

    private static Operation operation() {
        return new Operation((o, result, more, bufferId) -> {});
    }

    /** Turns until so many operations have ended. */
    private void turnUntilEnded(int count) {
        int ended = 0;
        for (int i = 0; i < TURNS_MAX && ended < count; i++) {
            ended += turn(100_000_000L);
        }
        assertThat(ended).isEqualTo(count);
    }

    private int turn(long waitNanos) {
        records.clear();
        driver.turn(waitNanos, records);
        int ended = 0;
        for (int i = 0; i < records.count(); i++) {
            int fd = records.operation(i).fd();
            int result = records.result(i);
            last.put(fd, result);
            positive.merge(fd, Math.max(0, result), Integer::sum);
            if (records.bufferId(i) >= 0) {
                pool.give(records.bufferId(i));
            }
            ended += records.more(i) ? 0 : 1;
        }
        return ended;
    }

    @Test
    void receivesThatAllCompleteAtOnce() {
        List<Operation> receives = new ArrayList<>();
        for (int[] pair : pairs) {
            receives.add(operation().prepareReceive(pair[0]));
            driver.stage(receives.getLast());
        }
        turn(0);
        assertThat(driver.inFlight()).isEqualTo(PAIRS);
        pairs.forEach(pair -> positive.put(pair[0], 0));
        for (int round = 1; round <= 3; round++) {
            for (int[] pair : pairs) {
                assertThat(calls.write(pair[1], bytes, 10)).isEqualTo(10);
            }
            int expected = 10 * round;
            for (int i = 0; i < TURNS_MAX && positive.values().stream().anyMatch(n -> n < expected); i++) {
                turn(100_000_000L);
                armAgain();
            }
            assertThat(positive.values()).hasSize(PAIRS).containsOnly(expected);
        }
        assertThat(counters.get(Counter.OVERFLOWS))
                .as("overflows of the completion queue")
                .isPositive();
        receives.forEach(driver::cancel);
        turnUntilEnded(PAIRS);
        assertThat(last.values()).hasSize(PAIRS).containsOnly(-Errno.ECANCELED);
    }

    /** The kernel ends a multishot receive whose next completion would find no room, after its data. */
    private void armAgain() {
        for (int i = 0; i < records.count(); i++) {
            if (!records.more(i)) {
                assertThat(records.result(i)).isPositive();
                driver.stage(
                        records.operation(i).prepareReceive(records.operation(i).fd()));
            }
        }
    }

    @Test
    void quietSendsOfWhichSomeFail() {
        for (int i = 0; i < PAIRS; i += 5) {
            calls.close(pairs.get(i)[1]);
            pairs.get(i)[1] = -1;
        }
        for (int[] pair : pairs) {
            driver.stage(operation().prepareSend(pair[0], bytes, 100, null).quietly());
        }
        turnUntilEnded(PAIRS);
        for (int i = 0; i < PAIRS; i++) {
            int expected = i % 5 == 0 ? -Errno.EPIPE : 100;
            assertThat(last).containsEntry(pairs.get(i)[0], expected);
            if (i % 5 != 0) {
                assertThat(calls.recv(pairs.get(i)[1], bytes, 4096, Socket.MSG_DONTWAIT))
                        .isEqualTo(100);
            }
        }
    }

    /** A quiet send may not wait, and reports how far it came; one that is awaited takes the rest when there is room. */
    @Test
    void sendsToOneWhoDoesNotRead() {
        int[] pair = pairs.getFirst();
        long large = arena.allocate(1 << 20, 8).address();
        driver.stage(operation().prepareSend(pair[0], large, 1 << 20, null).quietly());
        turnUntilEnded(1);
        int taken = positive.getOrDefault(pair[0], 0);
        assertThat(taken).isBetween(1, (1 << 20) - 1);
        driver.stage(operation().prepareSend(pair[0], large, 1000, null).quietly());
        turnUntilEnded(1);
        assertThat(positive).containsEntry(pair[0], taken);

        Operation awaited = operation().prepareSend(pair[0], large, 500_000, null);
        driver.stage(awaited);
        assertThat(turn(10_000_000L)).as("ends without room").isZero();
        int drained = 0;
        int ended = 0;
        for (int i = 0; i < TURNS_MAX && ended == 0; i++) {
            drained += (int) Math.max(0, calls.recv(pair[1], large, 1 << 16, Socket.MSG_DONTWAIT));
            ended = turn(1_000_000L);
        }
        assertThat(last).containsEntry(pair[0], 500_000);
        assertThat(drained).isPositive();
        // A send that is cancelled on its way tells how much it took.
        driver.stage(awaited.prepareSend(pair[0], large, 1 << 20, null));
        turn(0);
        driver.cancel(awaited);
        turnUntilEnded(1);
        assertThat(last.getOrDefault(pair[0], 0)).isNotEqualTo(1 << 20);
    }

    @Test
    void everythingIsCancelledBeforeItIsSubmitted() {
        List<Operation> operations = new ArrayList<>();
        for (int[] pair : pairs) {
            operations.add(operation().preparePoll(pair[0], Poll.POLLIN));
            driver.stage(operations.getLast());
        }
        operations.forEach(driver::cancel);
        turnUntilEnded(PAIRS);
        assertThat(last.values()).hasSize(PAIRS).containsOnly(-Errno.ECANCELED);
    }

    /** Cancelled or completed, never both and never neither: 1000 races of data against the cancellation. */
    @Test
    void cancellationRacesWithData() {
        for (int round = 0; round < 1_000 / PAIRS * 10; round++) {
            List<Operation> operations = new ArrayList<>();
            positive.clear();
            for (int[] pair : pairs.subList(0, 10)) {
                operations.add(operation().prepareReceive(pair[0]));
                driver.stage(operations.getLast());
            }
            turn(0);
            for (int i = 0; i < 10; i++) {
                if (i % 2 == 0) {
                    calls.write(pairs.get(i)[1], bytes, 3);
                    driver.cancel(operations.get(i));
                } else {
                    driver.cancel(operations.get(i));
                    calls.write(pairs.get(i)[1], bytes, 3);
                }
            }
            turnUntilEnded(10);
            for (int i = 0; i < 10; i++) {
                int received = positive.getOrDefault(pairs.get(i)[0], 0);
                long left = calls.recv(pairs.get(i)[0], bytes, 4096, Socket.MSG_DONTWAIT);
                assertThat(received + Math.max(0, left))
                        .as("bytes delivered or still there")
                        .isEqualTo(3);
            }
        }
    }
}
