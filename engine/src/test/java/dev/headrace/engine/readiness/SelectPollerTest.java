package dev.headrace.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.abi.linux.Select;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.FakeSockets;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Clock;
import dev.headrace.engine.driver.LinuxEventFd;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.readiness.RealDescriptors.Pair;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What select alone does. */
@Timeout(60)
class SelectPollerTest {
    private static final long MILLI_NANOS = 1_000_000L;
    private static final long LONG_WAIT_NANOS = 5_000 * MILLI_NANOS;

    private final SystemCalls calls = new SystemCalls();
    private final RealDescriptors descriptors = new RealDescriptors(calls);
    private final SelectPoller poller;

    SelectPollerTest() throws IOException {
        poller = new SelectPoller(calls);
    }

    @AfterEach
    void close() {
        poller.close();
        descriptors.close();
    }

    /** The kernel refuses the whole call and does not say which descriptor it is. */
    @Test
    void aDescriptorThatWasClosedHangsUp() {
        int other = descriptors.counter();
        descriptors.signal(other);
        assertThat(poller.watch(other, false, Poller.READ, 7)).isZero();
        for (int interest : new int[] {Poller.READ, Poller.WRITE}) {
            int fd = descriptors.counter();
            assertThat(poller.watch(fd, false, interest, 5)).isZero();
            descriptors.close(fd);
            for (int i = 0; i < 3; i++) {
                assertThat(poller.await(LONG_WAIT_NANOS)).isEqualTo(1);
                assertThat(poller.token(0)).isEqualTo(5);
                assertThat(poller.events(0)).isEqualTo(Poller.HANG_UP);
            }
            assertThat(poller.forget(fd)).isZero();
            assertThat(poller.await(LONG_WAIT_NANOS)).isEqualTo(1);
            assertThat(poller.token(0)).isEqualTo(7);
        }
    }

    @Test
    void aDescriptorThatWasClosedHangsUpWithoutInterest() {
        int fd = descriptors.counter();
        assertThat(poller.watch(fd, false, 0, 5)).isZero();
        assertThat(poller.await(0)).isZero();
        descriptors.close(fd);
        int count = 0;
        for (int i = 0; i < 3 && count == 0; i++) {
            count = poller.await(LONG_WAIT_NANOS);
        }
        assertThat(count).isEqualTo(1);
        assertThat(poller.events(0)).isEqualTo(Poller.HANG_UP);
        assertThat(poller.forget(fd)).isZero();
        assertThat(poller.await(0)).isZero();
    }

    /** Waits are cut short only as long as there is a descriptor to look at, and do not become busy waiting. */
    @Test
    void waitsAreShortWhileSomethingIsSilent() {
        Pair pair = descriptors.tcpPair();
        assertThat(poller.watch(pair.near(), false, 0, 5)).isZero();
        long start = System.nanoTime();
        for (int i = 0; i < 4; i++) {
            assertThat(poller.await(-1)).isZero();
        }
        long period = SilentDescriptors.PERIOD_MILLIS * MILLI_NANOS;
        assertThat(System.nanoTime() - start).isBetween(3 * period, 100 * period);
        assertThat(poller.watch(pair.near(), true, Poller.READ, 5)).isZero();
        start = System.nanoTime();
        assertThat(poller.await(2 * period)).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * period);
    }

    @Test
    void theBackendNamesItsLimit() {
        assertThat(SelectBackend.unavailableBecause()).isNull();
        assertThat(SelectBackend.capabilities().rungs()).singleElement().satisfies(rung -> {
            assertThat(rung.name()).isEqualTo("fd-setsize");
            assertThat(rung.inUse()).isTrue();
            assertThat(rung.reason()).isEqualTo("descriptors below 1024 (FD_SETSIZE)");
        });
    }

    /** With so many descriptors open a driver could not be woken. */
    @Test
    void aDriverThatCouldNotBeWokenIsRefused() {
        int counter = descriptors.counter();
        int last = counter;
        while (last < Select.FD_SETSIZE - 1) {
            last = descriptors.duplicate(counter, 0);
        }
        BufferPool pool = new BufferPool(1, 64, Runnable::run, Thread.currentThread());
        assertThatThrownBy(() -> SelectBackend.open(new LinuxPollers(calls), surroundings(pool)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("below 1024 (FD_SETSIZE)")
                .hasMessageContaining("is 1024");
        assertThat(descriptors.duplicate(counter, 0))
                .as("next free number, so that none leaked")
                .isEqualTo(Select.FD_SETSIZE);
    }

    private Surroundings surroundings(BufferPool pool) {
        return new Surroundings(
                new FakeSockets(),
                Clock.SYSTEM,
                nonBlocking -> new LinuxEventFd(calls, nonBlocking),
                pool,
                new Counters());
    }
}
