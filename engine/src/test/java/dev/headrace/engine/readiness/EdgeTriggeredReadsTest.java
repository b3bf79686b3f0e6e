package dev.headrace.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.FakeSockets;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.LinuxEventFd;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.Surroundings;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edge is told once: what it was told for is read although the first read took nothing. */
class EdgeTriggeredReadsTest {
    private static final int FD = 1010;

    private final FakePoller poller = new FakePoller(true);
    private final FakeSockets sockets = new FakeSockets();
    private final BufferPool pool = new BufferPool(2, 64, Runnable::run, Thread.currentThread());
    private final Completions records = new Completions(16);
    private final ReadinessDriver driver;

    EdgeTriggeredReadsTest() throws IOException {
        EventFd wakeUp = new LinuxEventFd(new SystemCalls(), true);
        Surroundings surroundings =
                new Surroundings(sockets, Clock.SYSTEM, nonBlocking -> wakeUp, pool, new Counters());
        driver = new ReadinessDriver(poller, wakeUp, surroundings, new Capabilities(List.of()));
    }

    @BeforeEach
    void oneReadIsInterruptedThenGivesFiveBytes() {
        sockets.answers("receive " + FD, -Errno.EINTR, 5);
    }

    @AfterEach
    void close() {
        driver.close();
        pool.close();
    }

    private void turn() {
        records.clear();
        driver.turn(-1, records);
    }

    private void readyOnce(Operation reader) {
        driver.stage(reader);
        turn();
        poller.ready(FD, Poller.READ);
        turn();
        assertThat(records.count()).isZero();
        assertThat(pool.freeCount()).isEqualTo(2);
    }

    private void requireRead(boolean more) {
        turn();
        assertThat(poller.lastWaitNanos()).as("waited").isZero();
        assertThat(records.count()).isEqualTo(1);
        assertThat(records.result(0)).isEqualTo(5);
        assertThat(records.more(0)).isEqualTo(more);
    }

    @Test
    void anInterruptedReceiveIsTriedAgainWithoutAnotherEdge() {
        readyOnce(operation().prepareReceive(FD));
        requireRead(true);
    }

    @Test
    void anInterruptedReceiveIntoIsTriedAgainWithoutAnotherEdge() {
        readyOnce(operation().prepareReceiveInto(FD, 4096, 10, null));
        requireRead(false);
    }

    private static Operation operation() {
        return new Operation((o, result, more, bufferId) -> {});
    }
}
