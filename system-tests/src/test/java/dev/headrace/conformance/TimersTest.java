package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.engine.Loop;
import dev.headrace.engine.Timer;
import dev.headrace.engine.counter.Counter;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Fault;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Recording;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Timers of a loop run on its thread, at their time or a little later, never earlier. */
class TimersTest {
    private static final long MILLI = 1_000_000L;

    @EveryBackend
    void runInTheOrderOfTheirTimesAndNeverEarly(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            List<Integer> order = new CopyOnWriteArrayList<>();
            List<String> early = new CopyOnWriteArrayList<>();
            CompletableFuture<Void> last = new CompletableFuture<>();
            server.run(() -> {
                for (int millis : new int[] {70, 10, 50, 0, 30, 90, 20}) {
                    long due = System.nanoTime() + millis * MILLI;
                    loop.schedule(millis * MILLI, () -> {
                        if (System.nanoTime() < due) {
                            early.add(millis + " ms");
                        }
                        order.add(millis);
                        if (millis == 90) {
                            last.complete(null);
                        }
                    });
                }
            });
            Recording.soon(last);
            assertThat(order).containsExactly(0, 10, 20, 30, 50, 70, 90);
            assertThat(early).as("timers that ran early").isEmpty();
        }
    }

    /** An idle loop wakes up for a timer, also for one that lies beyond a second. */
    @EveryBackend
    void wakeAnIdleLoopInTime(Setting setting) throws IOException {
        // What lies beyond a second is the timers' own affair, whatever the rungs.
        long[] delays = setting.masked().isEmpty() ? new long[] {1, 25, 1_100} : new long[] {1, 25};
        try (Server server = Server.echo(setting)) {
            for (long millis : delays) {
                CompletableFuture<Long> ran = new CompletableFuture<>();
                long from = server.call(() -> {
                    long now = System.nanoTime();
                    server.loop().schedule(millis * MILLI, () -> ran.complete(System.nanoTime()));
                    return now;
                });
                Duration took = Duration.ofNanos(Recording.soon(ran) - from);
                assertThat(took).isBetween(Duration.ofMillis(millis), Duration.ofMillis(millis + 500));
            }
        }
    }

    @EveryBackend
    void cancelledOnesDoNotRun(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            AtomicInteger ran = new AtomicInteger();
            List<Timer> timers = new ArrayList<>();
            CompletableFuture<Void> last = new CompletableFuture<>();
            server.run(() -> {
                for (int i = 0; i < 100; i++) {
                    timers.add(loop.schedule((20 + i % 10) * MILLI, ran::incrementAndGet));
                }
                for (int i = 0; i < 100; i += 2) {
                    assertThat(timers.get(i).pending()).isTrue();
                    timers.get(i).cancel();
                    assertThat(timers.get(i).pending()).isFalse();
                    timers.get(i).cancel();
                }
                // Cancelled by another timer of the very same time, or already run: once is enough either way.
                Timer[] pair = new Timer[2];
                pair[0] = loop.schedule(25 * MILLI, () -> pair[1].cancel());
                pair[1] = loop.schedule(25 * MILLI, () -> pair[0].cancel());
                loop.schedule(60 * MILLI, () -> last.complete(null));
            });
            Recording.soon(last);
            assertThat(ran.get()).isEqualTo(50);
            server.run(() -> assertThat(timers).noneMatch(Timer::pending));
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void manyAtOnceAllRunOnce(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            Loop loop = server.loop();
            int count = 10_000;
            AtomicInteger ran = new AtomicInteger();
            CompletableFuture<Void> all = new CompletableFuture<>();
            SplittableRandom random = new SplittableRandom(1);
            server.run(() -> {
                for (int i = 0; i < count; i++) {
                    loop.schedule(random.nextLong(200 * MILLI), () -> {
                        if (ran.incrementAndGet() == count) {
                            all.complete(null);
                        }
                    });
                }
            });
            peer.exchange(Content.of(1, 100_000));
            Recording.soon(all);
            LockSupport.parkNanos(20 * MILLI);
            assertThat(ran.get()).isEqualTo(count);
        }
    }

    /** So many that come due while the loop is busy all run in one turn, by their deadlines, once each. */
    @Fault(31)
    @EveryBackend
    void tenThousandInOneTick(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            int count = 10_000;
            // The deadline lies between the two: a moment passes before the timer is made.
            List<Long> earliest = new ArrayList<>();
            List<Long> latest = new ArrayList<>();
            int[] delays = new int[count];
            List<Integer> runs = new ArrayList<>();
            CompletableFuture<Long> turns = new CompletableFuture<>();
            SplittableRandom random = new SplittableRandom(3);
            server.run(() -> {
                long from = loop.counters().get(Counter.TURNS);
                for (int i = 0; i < count; i++) {
                    delays[i] = 2 * random.nextInt(20);
                    long delayNanos = delays[i] * MILLI;
                    int number = i;
                    earliest.add(System.nanoTime() + delayNanos);
                    loop.schedule(delayNanos, () -> runs.add(number));
                    latest.add(System.nanoTime() + delayNanos);
                }
                loop.schedule(60 * MILLI, () -> turns.complete(loop.counters().get(Counter.TURNS) - from));
                // Busy until all of them are overdue.
                while (System.nanoTime() - latest.getLast() < 100 * MILLI) {
                    Thread.onSpinWait();
                }
            });
            assertThat(Recording.soon(turns)).as("turns until the last had run").isLessThanOrEqualTo(2);
            server.run(() -> {
                assertThat(runs).hasSize(count).doesNotHaveDuplicates();
                long reached = 0;
                for (int number : runs) {
                    assertThat(latest.get(number)).as("deadline").isGreaterThan(reached - MILLI);
                    reached = Math.max(reached, earliest.get(number));
                }
                for (int delay = 0; delay < 40; delay += 2) {
                    int same = delay;
                    assertThat(runs.stream().filter(number -> delays[number] == same))
                            .as("those of %d ms run in the order in which they were scheduled", delay)
                            .isSorted();
                }
            });
        }
    }

    /** Each cancels its neighbour of the very same tick: one of each pair runs. */
    @Fault(31)
    @EveryBackend
    void cancelOneAnotherInOneTick(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            int pairs = 5_000;
            int[] ran = new int[pairs];
            CompletableFuture<Void> after = new CompletableFuture<>();
            server.run(() -> {
                Timer[] timers = new Timer[2 * pairs];
                for (int i = 0; i < timers.length; i++) {
                    int own = i;
                    timers[i] = loop.schedule(10 * MILLI, () -> {
                        ran[own / 2]++;
                        assertThat(timers[own].pending()).isFalse();
                        timers[own].cancel();
                        timers[own ^ 1].cancel();
                    });
                }
                loop.schedule(50 * MILLI, () -> after.complete(null));
            });
            Recording.soon(after);
            assertThat(ran).containsOnly(1);
            assertThat(server.count(Counter.HANDLER_FAILURES)).isZero();
        }
    }

    @EveryBackend
    void mayScheduleThemselvesAgain(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            CompletableFuture<Integer> done = new CompletableFuture<>();
            loop.execute(new Runnable() {
                private int rounds;

                @Override
                public void run() {
                    if (++rounds == 50) {
                        done.complete(rounds);
                    } else {
                        loop.schedule(rounds % 2 == 0 ? 0 : MILLI, this);
                    }
                }
            });
            assertThat(Recording.soon(done)).isEqualTo(50);
        }
    }

    /** "Never" is a delay like any other. */
    @EveryBackend
    void theLongestDelaysNeverComeEarly(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            AtomicInteger ran = new AtomicInteger();
            List<Timer> timers = new ArrayList<>();
            server.run(() -> {
                for (long nanos : new long[] {
                    Long.MAX_VALUE,
                    Long.MAX_VALUE - 1,
                    Long.MAX_VALUE - MILLI,
                    Long.MAX_VALUE / 2,
                    Duration.ofDays(365 * 100).toNanos()
                }) {
                    timers.add(loop.schedule(nanos, ran::incrementAndGet));
                }
            });
            LockSupport.parkNanos(50 * MILLI);
            assertThat(ran.get()).as("timers that ran centuries early").isZero();
            server.run(() -> timers.forEach(Timer::cancel));
        }
    }

    /** A negative delay is over already. */
    @EveryBackend
    void aNegativeDelayRunsAtOnce(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            CompletableFuture<Void> ran = new CompletableFuture<>();
            server.run(() -> server.loop().schedule(Long.MIN_VALUE, () -> ran.complete(null)));
            Recording.soon(ran);
        }
    }

    /** A far timer costs an idle loop next to nothing. */
    @EveryBackend
    void farTimersLetTheLoopSleep(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            List<Timer> timers = new ArrayList<>();
            server.run(() -> {
                for (int i = 0; i < 1_000; i++) {
                    timers.add(server.loop().schedule(Duration.ofMinutes(5).toNanos() + i * MILLI, () -> {}));
                }
            });
            long turns = server.count(Counter.TURNS);
            LockSupport.parkNanos(200 * MILLI);
            assertThat(server.count(Counter.TURNS) - turns)
                    .as("turns within 200 ms, with 1000 timers minutes away")
                    .isLessThan(20);
            server.run(() -> timers.forEach(Timer::cancel));
        }
    }

    @EveryBackend
    void belongToTheLoopsThread(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            assertThatThrownBy(() -> server.loop().schedule(0, () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("loop.execute");
        }
    }
}
