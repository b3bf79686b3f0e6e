package dev.headrace.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Poll;
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
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The readiness driver over a poller and sockets that answer as the test says. */
class ReadinessDriverTest {
    private static final int AGAIN = -Errno.EAGAIN;

    private final FakePoller poller = new FakePoller();
    private final FakeSockets sockets = new FakeSockets();
    private final SystemCalls calls = new SystemCalls();
    private final BufferPool pool = new BufferPool(2, 64, Runnable::run, Thread.currentThread());
    private final Counters counters = new Counters();
    private final Completions records = new Completions(16);
    private final ReadinessDriver driver = newDriver();

    private ReadinessDriver newDriver() {
        try {
            EventFd wakeUp = new LinuxEventFd(calls, true);
            Surroundings surroundings = new Surroundings(sockets, Clock.SYSTEM, nonBlocking -> wakeUp, pool, counters);
            return new ReadinessDriver(poller, wakeUp, surroundings, new Capabilities(List.of()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        driver.close();
        assertThat(poller.closed()).isTrue();
    }

    private static Operation operation() {
        return new Operation((o, result, more, bufferId) -> {});
    }

    private static Operation send(int fd) {
        return operation().prepareSend(fd, 4096, 100, null);
    }

    private Operation staged(Operation operation) {
        driver.stage(operation);
        return operation;
    }

    private List<String> turn() {
        return turn(-1);
    }

    private List<String> turn(long waitNanos) {
        records.clear();
        driver.turn(waitNanos, records);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < records.count(); i++) {
            told.add(records.operation(i).fd() + ":" + records.result(i) + (records.more(i) ? "+" : ""));
        }
        return told;
    }

    private void ready(int fd, int events) {
        poller.ready(fd, events);
    }

    @Test
    void aReceiveWaitsForReadinessBeforeItTries() {
        staged(operation().prepareReceive(1010));
        assertThat(turn()).isEmpty();
        assertThat(sockets.calls()).isEmpty();
        assertThat(poller.interest(1010)).isEqualTo(Poller.READ);
        sockets.answers("receive 1010", 5);
        ready(1010, Poller.READ);
        assertThat(turn()).containsExactly("1010:5+");
        // Level-triggered: no second read just to see EAGAIN, and no change of interest to go on.
        assertThat(sockets.calls()).containsExactly("receive 1010");
        assertThat(poller.watches(1010)).isEqualTo(1);
    }

    @Test
    void spuriousReadinessChangesNothing() {
        staged(operation().prepareReceive(1010));
        turn();
        ready(1010, Poller.READ);
        sockets.answers("receive 1010", AGAIN, -Errno.EINTR);
        assertThat(turn()).isEmpty();
        ready(1010, Poller.READ);
        assertThat(turn()).isEmpty();
        assertThat(pool.freeCount()).isEqualTo(2);
        assertThat(poller.interest(1010)).isEqualTo(Poller.READ);
    }

    @Test
    void theEndAndErrorsEndAReceive() {
        staged(operation().prepareReceive(1010));
        staged(operation().prepareReceive(1011));
        turn();
        sockets.answers("receive 1010", 0).answers("receive 1011", -Errno.ECONNRESET);
        ready(1010, Poller.READ);
        ready(1011, Poller.HANG_UP);
        assertThat(turn()).containsExactly("1010:0", "1011:" + -Errno.ECONNRESET);
        assertThat(pool.freeCount()).isEqualTo(2);
        turn();
        assertThat(poller.interest(1010)).as("interest after the end").isZero();
    }

    @Test
    void anEmptyPoolEndsTheReceiveAndTakesTheInterestAway() {
        staged(operation().prepareReceive(1010));
        turn();
        int first = pool.take();
        int second = pool.take();
        ready(1010, Poller.READ);
        assertThat(turn()).containsExactly("1010:" + -Errno.ENOBUFS);
        assertThat(sockets.calls()).isEmpty();
        assertThat(counters.get(Counter.ENOBUFS)).isEqualTo(1);
        turn();
        assertThat(poller.interest(1010)).isZero();
        pool.give(first);
        pool.give(second);
    }

    @Test
    void aSendIsTriedAtOnce() {
        staged(send(1010));
        assertThat(turn()).containsExactly("1010:100");
        assertThat(poller.lastWaitNanos()).as("the wait with a record to tell").isZero();
        assertThat(poller.watches(1010)).isZero();
    }

    /** Nobody waits for the end of a quiet send: its record may come with the next event. */
    @Test
    void aQuietSendDoesNotEndTheWait() {
        staged(send(1010).quietly());
        assertThat(turn()).containsExactly("1010:100");
        assertThat(poller.lastWaitNanos()).isEqualTo(-1);
    }

    /** But where it may hold the last buffer, others may be waiting for it. */
    @Test
    void aQuietSendEndsTheWaitWhenThePoolIsEmpty() {
        int first = pool.take();
        int second = pool.take();
        staged(send(1010).quietly());
        assertThat(turn()).containsExactly("1010:100");
        assertThat(poller.lastWaitNanos()).isZero();
        pool.give(first);
        pool.give(second);
    }

    @Test
    void aSendThatFindsNoRoomWaitsForIt() {
        sockets.answers("send 1010", AGAIN, AGAIN, 40);
        staged(send(1010));
        assertThat(turn()).isEmpty();
        assertThat(poller.interest(1010)).isEqualTo(Poller.WRITE);
        assertThat(counters.get(Counter.SHORT_SENDS)).isEqualTo(1);
        ready(1010, Poller.WRITE);
        assertThat(turn()).as("room that was gone again").isEmpty();
        ready(1010, Poller.WRITE);
        assertThat(turn()).containsExactly("1010:40");
        turn();
        assertThat(poller.interest(1010)).isZero();
    }

    @Test
    void shortAndFailedSendsAreTold() {
        sockets.answers("send 1010", 7).answers("send 1011", -Errno.EPIPE).answers("send 1012", -Errno.EINTR, 100);
        staged(send(1010).quietly());
        staged(send(1011).quietly());
        staged(send(1012).quietly());
        assertThat(turn()).containsExactly("1010:7", "1011:" + -Errno.EPIPE, "1012:100");
        assertThat(poller.lastWaitNanos()).as("the wait with failures to tell").isZero();
    }

    @Test
    void readerAndWriterShareADescriptor() {
        sockets.answers("send 1010", AGAIN, 100).answers("receive 1010", 3);
        staged(operation().prepareReceive(1010));
        staged(send(1010));
        turn();
        assertThat(poller.interest(1010)).isEqualTo(Poller.READ | Poller.WRITE);
        ready(1010, Poller.READ | Poller.WRITE);
        assertThat(turn()).containsExactly("1010:3+", "1010:100");
        turn();
        assertThat(poller.interest(1010)).isEqualTo(Poller.READ);
    }

    @Test
    void cancellingBeforeAndAfterTheFirstTurn() {
        Operation early = staged(operation().prepareReceive(1010));
        driver.cancel(early);
        driver.cancel(early);
        assertThat(turn()).containsExactly("1010:" + -Errno.ECANCELED);
        assertThat(poller.watches(1010)).as("told to the poller").isZero();

        Operation late = staged(operation().prepareReceive(1011));
        turn();
        driver.cancel(late);
        driver.cancel(late);
        // The event was on its way already; it must not reach the cancelled operation.
        ready(1011, Poller.READ);
        sockets.answers("receive 1011", 5);
        assertThat(turn()).containsExactly("1011:" + -Errno.ECANCELED);
        assertThat(sockets.calls()).isEmpty();
        assertThat(poller.interest(1011)).isZero();
        driver.cancel(late);
        assertThat(turn()).isEmpty();
    }

    @Test
    void aCancelledSendIsNotTried() {
        sockets.answers("send 1010", AGAIN);
        Operation parked = staged(send(1010));
        turn();
        driver.cancel(parked);
        ready(1010, Poller.WRITE);
        assertThat(turn()).containsExactly("1010:" + -Errno.ECANCELED);
        Operation waiting = staged(send(1011));
        driver.cancel(waiting);
        assertThat(turn()).containsExactly("1011:" + -Errno.ECANCELED);
        assertThat(sockets.calls()).containsExactly("send 1010");
    }

    @Test
    void interestThatEndsWhereItBeganCostsNoCall() {
        Operation receive = staged(operation().prepareReceive(1010));
        turn();
        driver.cancel(receive);
        turn();
        int watches = poller.watches(1010);
        staged(receive.prepareReceive(1010));
        driver.cancel(receive);
        turn();
        assertThat(poller.watches(1010)).isEqualTo(watches);
    }

    /** An event that was taken for the descriptor's earlier life. */
    @Test
    void aStaleEventReachesNobody() {
        staged(operation().prepareReceive(1010));
        turn();
        long token = poller.token(1010, Poller.READ);
        Operation receive = operation();
        records.clear();
        // The first life ends: cancelled, then closed.
        sockets.answers("receive 1010", 0);
        ready(1010, Poller.READ);
        assertThat(turn()).containsExactly("1010:0");
        staged(operation().prepareClose(1010));
        assertThat(turn()).containsExactly("1010:0");
        assertThat(poller.forgotten()).containsExactly(1010);
        // The second life: same number.
        staged(receive.prepareReceive(1010));
        turn();
        poller.readyByToken(token, Poller.READ);
        sockets.answers("receive 1010", 5);
        assertThat(turn()).isEmpty();
        ready(1010, Poller.READ);
        assertThat(turn()).containsExactly("1010:5+");
    }

    /** The poller hears of the close before the number can be used again. */
    @Test
    void theDescriptorIsForgottenBeforeItIsClosed() {
        poller.log(sockets.calls());
        Operation receive = staged(operation().prepareReceive(1010));
        turn();
        driver.cancel(receive);
        turn();
        staged(operation().prepareClose(1010));
        turn();
        assertThat(sockets.calls()).containsSubsequence("forget 1010", "close 1010");
        // One that was never watched is only closed.
        staged(operation().prepareClose(1011));
        turn();
        assertThat(sockets.calls()).contains("close 1011").doesNotContain("forget 1011");
    }

    /** Hang-up comes whatever the interest; with nobody to tell, the descriptor leaves the poller. */
    @Test
    void aHangUpWithNobodyToTellDoesNotSpin() {
        Operation receive = staged(operation().prepareReceive(1010));
        turn();
        driver.cancel(receive);
        turn();
        ready(1010, Poller.HANG_UP);
        assertThat(turn()).isEmpty();
        assertThat(poller.forgotten()).containsExactly(1010);
        // Who comes back to it registers it anew.
        staged(receive.prepareReceive(1010));
        turn();
        assertThat(poller.interest(1010)).isEqualTo(Poller.READ);
        sockets.answers("receive 1010", -Errno.ECONNRESET);
        ready(1010, Poller.HANG_UP);
        assertThat(turn()).containsExactly("1010:" + -Errno.ECONNRESET);
    }

    @Test
    void aHangUpReachesWhoeverWaits() {
        sockets.answers("send 1010", AGAIN, -Errno.EPIPE);
        staged(send(1010));
        staged(operation().preparePoll(1011, 0));
        turn();
        assertThat(poller.interest(1011)).isZero();
        assertThat(poller.watches(1011)).as("watched for hang-up alone").isEqualTo(1);
        ready(1010, Poller.HANG_UP);
        ready(1011, Poller.HANG_UP);
        assertThat(turn()).containsExactly("1010:" + -Errno.EPIPE, "1011:" + Poll.POLLHUP);
    }

    @Test
    void acceptsUntilThereAreNoMore() {
        sockets.answers("accept 1009", 20, -Errno.ECONNABORTED, 21, -Errno.EINTR, 22, AGAIN, -Errno.EMFILE);
        staged(operation().prepareAccept(1009));
        turn();
        ready(1009, Poller.READ);
        assertThat(turn()).containsExactly("1009:20+", "1009:21+", "1009:22+");
        ready(1009, Poller.READ);
        assertThat(turn()).containsExactly("1009:" + -Errno.EMFILE);
        turn();
        assertThat(poller.interest(1009))
                .as("interest while out of descriptors")
                .isZero();
    }

    @Test
    void oneTurnDoesNotAcceptForEver() {
        for (int i = 0; i < 1_000; i++) {
            sockets.answers("accept 1009", 100 + i);
        }
        staged(operation().prepareAccept(1009));
        turn();
        ready(1009, Poller.READ);
        assertThat(turn().size()).isBetween(10, 200);
    }

    @Test
    void connects() {
        sockets.answers("connect 1010", -Errno.EINPROGRESS).answers("option 1010", Errno.ECONNREFUSED);
        sockets.answers("connect 1011", -Errno.EINPROGRESS).answers("option 1011", 0);
        sockets.answers("connect 1012", -Errno.ENETUNREACH);
        for (int fd = 1010; fd < 1013; fd++) {
            staged(operation().prepareConnect(fd, 4096, 16, null));
        }
        assertThat(turn()).containsExactly("1012:" + -Errno.ENETUNREACH);
        ready(1010, Poller.WRITE | Poller.HANG_UP);
        ready(1011, Poller.WRITE);
        assertThat(turn()).containsExactly("1010:" + -Errno.ECONNREFUSED, "1011:0");
    }

    @Test
    void whatThePollerRefusesIsTold() {
        poller.refuse(1010, -Errno.EBADF);
        staged(operation().prepareReceive(1010));
        assertThat(turn()).containsExactly("1010:" + -Errno.EBADF);
        assertThat(poller.lastWaitNanos()).isZero();
        assertThat(turn()).isEmpty();
    }

    @Test
    void descriptorsOfAnySize() {
        for (int fd : new int[] {255, 256, 257, 5_000, 19_999}) {
            staged(operation().prepareReceive(fd));
            turn();
            sockets.answers("receive " + fd, 1);
            ready(fd, Poller.READ);
            assertThat(turn()).containsExactly(fd + ":1+");
            pool.give(records.bufferId(0));
        }
    }

    @Test
    void aWakeUpEndsOneWait() {
        driver.wake();
        driver.wake();
        poller.readyIfSignalled();
        assertThat(turn()).isEmpty();
        assertThat(poller.readyIfSignalled())
                .as("signalled after it was drained")
                .isFalse();
    }
}
