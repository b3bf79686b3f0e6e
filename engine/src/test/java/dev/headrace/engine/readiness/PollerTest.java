package dev.headrace.engine.readiness;

import static dev.headrace.engine.readiness.Poller.HANG_UP;
import static dev.headrace.engine.readiness.Poller.READ;
import static dev.headrace.engine.readiness.Poller.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Select;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.readiness.RealDescriptors.Pair;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every poller does, on descriptors of the kernel. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class PollerTest {
    private static final long MILLI_NANOS = 1_000_000L;
    private static final long LONG_WAIT_NANOS = 5_000 * MILLI_NANOS;
    private static final int EVENTS_MAX = 64;

    private final SystemCalls calls = new SystemCalls();
    private final RealDescriptors descriptors = new RealDescriptors(calls);
    private final Poller poller;

    PollerTest(PollerKind kind) throws IOException {
        poller = kind.open(calls);
    }

    @AfterEach
    void close() {
        poller.close();
        descriptors.close();
    }

    private void watch(int fd, int interest) {
        assertThat(poller.watch(fd, false, interest, token(fd))).isZero();
    }

    private void change(int fd, int interest) {
        assertThat(poller.watch(fd, true, interest, token(fd))).isZero();
    }

    /** Both halves differ from those of any other descriptor, and none is zero. */
    private static long token(int fd) {
        return (long) ~fd << Integer.SIZE | fd + 1;
    }

    /** The events of one wait by token. */
    private Map<Long, Integer> await(long waitNanos) {
        int count = poller.await(waitNanos);
        assertThat(count).isBetween(0, EVENTS_MAX);
        Map<Long, Integer> events = new HashMap<>();
        for (int i = 0; i < count; i++) {
            assertThat(poller.events(i)).isNotZero();
            assertThat(events.put(poller.token(i), poller.events(i)))
                    .as("second event of one descriptor")
                    .isNull();
        }
        return events;
    }

    /** The events of the first wait that has some; a poller may look at descriptors without interest now and then. */
    private Map<Long, Integer> awaitSome() {
        long deadline = System.nanoTime() + LONG_WAIT_NANOS;
        Map<Long, Integer> events = await(0);
        while (events.isEmpty() && System.nanoTime() - deadline < 0) {
            events = await(deadline - System.nanoTime());
        }
        return events;
    }

    /** Nothing comes, although there was time to look at descriptors without interest. */
    private void assertSilence() {
        long deadline = System.nanoTime() + 3L * SilentDescriptors.PERIOD_MILLIS * MILLI_NANOS;
        while (System.nanoTime() - deadline < 0) {
            assertThat(await(MILLI_NANOS)).isEmpty();
        }
    }

    private static Map<Long, Integer> event(int fd, int events) {
        return Map.of(token(fd), events);
    }

    @Test
    void aWaitEndsInTime() {
        watch(descriptors.counter(), READ);
        for (long wait : new long[] {0, 1, 3 * MILLI_NANOS, 1_100 * MILLI_NANOS, 2 * MILLI_NANOS}) {
            long start = System.nanoTime();
            assertThat(poller.await(wait)).isZero();
            assertThat(System.nanoTime() - start).isBetween(wait, wait + LONG_WAIT_NANOS);
        }
    }

    @Test
    void aWaitWithoutDescriptorsEndsInTime() {
        long start = System.nanoTime();
        assertThat(poller.await(3 * MILLI_NANOS)).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(3 * MILLI_NANOS);
    }

    @Test
    void aWaitWithoutEndEndsWithAnEvent() throws InterruptedException {
        int counter = descriptors.counter();
        watch(counter, READ);
        Thread signals = Thread.ofPlatform().start(() -> {
            sleep(100);
            descriptors.signal(counter);
        });
        long start = System.nanoTime();
        assertThat(await(-1)).isEqualTo(event(counter, READ));
        assertThat(System.nanoTime() - start).isGreaterThan(20 * MILLI_NANOS);
        signals.join();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anInterruptedWaitEndsWithoutEvents() throws InterruptedException {
        watch(descriptors.counter(), READ);
        Signals signals = new Signals(calls);
        signals.startToInterrupt();
        long start = System.nanoTime();
        assertThat(poller.await(LONG_WAIT_NANOS)).isZero();
        assertThat(System.nanoTime() - start).isLessThan(LONG_WAIT_NANOS);
        signals.stop();
    }

    @Test
    void inputIsReportedUntilItIsTaken() {
        Pair pair = descriptors.pair();
        watch(pair.near(), READ);
        assertThat(await(0)).isEmpty();
        descriptors.send(pair.far());
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(pair.near(), READ));
        assertThat(await(0)).isEqualTo(event(pair.near(), READ));
        descriptors.drain(pair.near());
        assertThat(await(0)).isEmpty();
    }

    @Test
    void roomIsReportedWhileThereIsSome() {
        Pair pair = descriptors.tcpPair();
        watch(pair.near(), WRITE);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(pair.near(), WRITE));
        descriptors.fill(pair.near());
        assertThat(await(0)).isEmpty();
        descriptors.empty(pair.far());
        assertThat(awaitSome()).isEqualTo(event(pair.near(), WRITE));
    }

    @Test
    void inputAndRoomComeInOneEvent() {
        Pair pair = descriptors.pair();
        descriptors.send(pair.far());
        watch(pair.near(), READ | WRITE);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(pair.near(), READ | WRITE));
    }

    @Test
    void onlyWhatIsOfInterestIsReported() {
        Pair pair = descriptors.pair();
        descriptors.send(pair.far());
        watch(pair.near(), READ);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(pair.near(), READ));
        change(pair.near(), WRITE);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(pair.near(), WRITE));
        change(pair.near(), 0);
        assertSilence();
        change(pair.near(), READ | WRITE);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(pair.near(), READ | WRITE));
    }

    @Test
    void aChangeOfInterestMayBringANewToken() {
        int counter = descriptors.counter();
        watch(counter, 0);
        assertThat(poller.watch(counter, true, WRITE, Long.MIN_VALUE)).isZero();
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(Map.of(Long.MIN_VALUE, WRITE));
    }

    @Test
    void aForgottenDescriptorIsNotReported() {
        int first = descriptors.counter();
        int second = descriptors.counter();
        int third = descriptors.counter();
        for (int fd : new int[] {first, second, third}) {
            watch(fd, WRITE);
        }
        assertThat(poller.forget(first)).isZero();
        assertThat(await(LONG_WAIT_NANOS).keySet()).containsExactlyInAnyOrder(token(second), token(third));
        assertThat(poller.forget(third)).isZero();
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(second, WRITE));
        assertThat(poller.forget(second)).isZero();
        assertThat(await(0)).isEmpty();
    }

    @Test
    void whatIsNotKnownIsRefused() {
        int counter = descriptors.counter();
        assertThat(poller.watch(counter, true, READ, 1)).isEqualTo(-Errno.ENOENT);
        assertThat(poller.forget(counter)).isEqualTo(-Errno.ENOENT);
        watch(counter, READ);
        assertThat(poller.watch(counter, false, READ, 1)).isEqualTo(-Errno.EEXIST);
        assertThat(poller.watch(-1, false, READ, 1)).isEqualTo(-Errno.EBADF);
        assertThat(poller.forget(counter)).isZero();
        assertThat(poller.forget(counter)).isEqualTo(-Errno.ENOENT);
    }

    @Test
    void aNumberThatIsUsedAgainHasItsNewToken() {
        int number = Select.FD_SETSIZE - 100; // one that nobody else takes
        Pair pair = descriptors.pair();
        int old = descriptors.duplicate(pair.near(), number);
        watch(old, READ);
        descriptors.send(pair.far());
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(old, READ));
        assertThat(poller.forget(old)).isZero();
        descriptors.close(old);
        int reused = descriptors.duplicate(descriptors.counter(), number);
        assertThat(reused).isEqualTo(old);
        assertThat(poller.watch(reused, false, READ, 77)).isZero();
        assertThat(await(0)).isEmpty();
        descriptors.signal(reused);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(Map.of(77L, READ));
    }

    @Test
    void theEndOfInputIsInput() {
        Pair pair = descriptors.tcpPair();
        watch(pair.near(), READ);
        descriptors.shutdownOutput(pair.far());
        // A poller may tell as well that it is the end.
        assertThat(awaitSome()).isIn(event(pair.near(), READ), event(pair.near(), READ | Poller.END));
    }

    /** Half a connection is not the end of it. */
    @Test
    void theEndOfInputIsNoHangUp() {
        Pair pair = descriptors.tcpPair();
        descriptors.shutdownOutput(pair.far());
        watch(pair.near(), 0);
        assertSilence();
    }

    @Test
    void aClosedPeerIsReported() {
        Pair pair = descriptors.pair();
        watch(pair.near(), READ);
        descriptors.close(pair.far());
        assertThat(awaitSome().get(token(pair.near()))).matches(events -> (events & READ) != 0, "readable");
    }

    @Test
    void aResetIsReportedToWhoeverIsInterested() {
        for (int interest : new int[] {READ, WRITE, READ | WRITE}) {
            Pair pair = descriptors.tcpPair();
            descriptors.fill(pair.near());
            watch(pair.near(), interest);
            assertThat(await(0)).isEmpty();
            descriptors.reset(pair.far());
            assertThat(awaitSome().get(token(pair.near())))
                    .matches(events -> (events & (interest | HANG_UP)) != 0, "of interest");
            assertThat(poller.forget(pair.near())).isZero();
        }
    }

    @Test
    void aResetIsReportedWithoutInterest() {
        Pair quiet = descriptors.tcpPair();
        Pair pair = descriptors.tcpPair();
        watch(quiet.near(), 0);
        watch(pair.near(), 0);
        assertSilence();
        descriptors.reset(pair.far());
        assertThat(awaitSome()).isEqualTo(event(pair.near(), HANG_UP));
        assertThat(await(0)).as("while it lasts").isEqualTo(event(pair.near(), HANG_UP));
        assertThat(poller.forget(pair.near())).isZero();
        assertSilence();
    }

    /** Those that stay are still looked at when others beside them leave. */
    @Test
    void aResetIsReportedWithoutInterestAfterOthersAreForgotten() {
        Pair first = descriptors.tcpPair();
        Pair second = descriptors.tcpPair();
        Pair third = descriptors.tcpPair();
        for (Pair pair : new Pair[] {first, second, third}) {
            watch(pair.near(), 0);
        }
        assertThat(poller.forget(first.near())).isZero();
        assertThat(poller.forget(third.near())).isZero();
        for (Pair pair : new Pair[] {first, second, third}) {
            descriptors.reset(pair.far());
        }
        assertThat(awaitSome()).isEqualTo(event(second.near(), HANG_UP));
    }

    /** A descriptor without interest must not keep a wait from ending with the events of others. */
    @Test
    void eventsComeBesideDescriptorsWithoutInterest() {
        Pair pair = descriptors.tcpPair();
        int counter = descriptors.counter();
        watch(counter, READ);
        watch(pair.near(), 0);
        descriptors.signal(counter);
        assertThat(await(LONG_WAIT_NANOS)).isEqualTo(event(counter, READ));
        descriptors.reset(pair.far());
        Map<Long, Integer> both = Map.of(token(counter), READ, token(pair.near()), HANG_UP);
        long deadline = System.nanoTime() + LONG_WAIT_NANOS;
        Map<Long, Integer> events = await(LONG_WAIT_NANOS);
        while (!events.equals(both) && System.nanoTime() - deadline < 0) {
            events = await(LONG_WAIT_NANOS);
        }
        assertThat(events).isEqualTo(both);
    }

    @Test
    void theEndOfBothDirectionsIsReportedWithoutInterest() {
        Pair pair = descriptors.tcpPair();
        watch(pair.near(), 0);
        descriptors.shutdownOutput(pair.far());
        descriptors.shutdownOutput(pair.near());
        assertThat(awaitSome()).isEqualTo(event(pair.near(), HANG_UP));
    }

    @Test
    void aRefusedConnectIsReported() {
        int fd = descriptors.tcpSocket();
        assertThat(descriptors.connect(fd, descriptors.boundTcpSocket())).isEqualTo(-Errno.EINPROGRESS);
        watch(fd, WRITE);
        assertThat(awaitSome().get(token(fd))).matches(events -> (events & WRITE) != 0, "writable");
    }

    @Test
    void noneOfManyStarves() {
        int count = 5 * EVENTS_MAX + 7;
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < count; i++) {
            int fd = descriptors.counter();
            watch(fd, WRITE);
            all.add(token(fd));
        }
        for (int round = 0; round < 5; round++) {
            Set<Long> seen = new HashSet<>();
            for (int i = 0; i < (count + EVENTS_MAX - 1) / EVENTS_MAX; i++) {
                seen.addAll(await(LONG_WAIT_NANOS).keySet());
            }
            assertThat(seen).isEqualTo(all);
        }
    }

    @Test
    void thoseWhoHangUpDoNotKeepOutThoseWhoSpeak() {
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < 2 * EVENTS_MAX; i++) {
            int silent = descriptors.tcpSocket();
            watch(silent, 0);
            all.add(token(silent));
            int counter = descriptors.counter();
            watch(counter, WRITE);
            all.add(token(counter));
        }
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            seen.addAll(await(LONG_WAIT_NANOS).keySet());
        }
        assertThat(seen).as("a socket that is not connected counts as hung up").isEqualTo(all);
    }

    @Test
    void descriptorsFromTheLimitOnAreRefused() {
        int counter = descriptors.counter();
        int low = descriptors.duplicate(counter, Select.FD_SETSIZE - 2);
        int high = descriptors.duplicate(counter, Select.FD_SETSIZE);
        int higher = descriptors.duplicate(counter, 3 * Select.FD_SETSIZE);
        Set<Long> expected = new HashSet<>();
        for (int fd : new int[] {counter, low, high, higher}) {
            boolean allowed = fd < poller.descriptorsMax();
            assertThat(poller.watch(fd, false, READ, token(fd))).isEqualTo(allowed ? 0 : -Errno.EMFILE);
            if (allowed) {
                expected.add(token(fd));
            } else {
                assertThat(poller.forget(fd)).isEqualTo(-Errno.ENOENT);
            }
        }
        descriptors.signal(counter);
        assertThat(await(LONG_WAIT_NANOS).keySet()).isEqualTo(expected);
    }

    /** Random changes, and after each of them what is reported is what a model expects. */
    @Test
    void manyChangesLater() {
        Random random = new Random(20_260_301);
        int[] fds = new int[150];
        boolean[] signalled = new boolean[fds.length];
        int[] interests = new int[fds.length];
        for (int i = 0; i < fds.length; i++) {
            fds[i] = descriptors.counter();
            interests[i] = -1;
        }
        for (int step = 0; step < 4_000; step++) {
            int i = random.nextInt(fds.length);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    if (signalled[i]) {
                        descriptors.drain(fds[i]);
                    } else {
                        descriptors.signal(fds[i]);
                    }
                    signalled[i] ^= true;
                }
                case 2, 3 -> {
                    assertThat(poller.forget(fds[i])).isEqualTo(interests[i] < 0 ? -Errno.ENOENT : 0);
                    interests[i] = -1;
                }
                default -> {
                    int interest = random.nextInt(4);
                    assertThat(poller.watch(fds[i], interests[i] >= 0, interest, token(fds[i])))
                            .isZero();
                    interests[i] = interest;
                }
            }
            assertThat(readyNow()).as("after step " + step).isEqualTo(expected(fds, signalled, interests));
        }
    }

    private static Map<Long, Integer> expected(int[] fds, boolean[] signalled, int[] interests) {
        Map<Long, Integer> expected = new HashMap<>();
        for (int i = 0; i < fds.length; i++) {
            int events = interests[i] < 0 ? 0 : interests[i] & (signalled[i] ? READ | WRITE : WRITE);
            if (events != 0) {
                expected.put(token(fds[i]), events);
            }
        }
        return expected;
    }

    /** The events of as many waits as it takes until one is not full, or brings nothing new. */
    private Map<Long, Integer> readyNow() {
        Map<Long, Integer> ready = new HashMap<>();
        int before;
        Map<Long, Integer> events;
        do {
            before = ready.size();
            events = await(0);
            ready.putAll(events);
        } while (events.size() == EVENTS_MAX && ready.size() > before);
        return ready;
    }

    @Test
    void waitsLeaveNoGarbage() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Pair pair = descriptors.tcpPair();
        watch(pair.near(), READ | WRITE);
        watch(pair.far(), 0);
        for (int i = 0; i < 100; i++) {
            watch(descriptors.counter(), i % 2 == 0 ? READ : WRITE);
        }
        List<Long> rounds = new ArrayList<>();
        long sum = 0;
        do {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                int count = poller.await(i % 2);
                for (int event = 0; event < count; event++) {
                    sum += poller.token(event) + poller.events(event);
                }
                poller.watch(pair.far(), true, i % 2 == 0 ? READ : 0, token(pair.far()));
            }
            rounds.add(threads.getCurrentThreadAllocatedBytes() - before);
        } while (rounds.getLast() > 1_000 && rounds.size() < 8);
        assertThat(sum).isNotZero();
        assertThat(rounds.getLast())
                .as("bytes allocated in the last of the rounds " + rounds)
                .isLessThanOrEqualTo(1_000);
    }
}
