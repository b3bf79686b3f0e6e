package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.engine.Loop;
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
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Tasks from other threads run on the loop, in the order of each thread, and none waits for the next event. */
class WakeUpTest {
    private static final int THREADS = 4;
    private static final int TASKS = 25_000;
    private static final long LOST_NANOS = 5_000_000_000L;

    /** Counts the tasks of one thread, on the loop's thread alone. */
    private static final class Sequence {
        private int next;
        private int outOfOrder;

        void run(int number) {
            outOfOrder += number == next ? 0 : 1;
            next = number + 1;
        }
    }

    @Fault(36)
    @EveryBackend
    void aHundredThousandTasksFromSeveralThreads(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            List<Sequence> sequences = new ArrayList<>();
            List<CompletableFuture<Void>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                Sequence sequence = new Sequence();
                sequences.add(sequence);
                SplittableRandom random = new SplittableRandom(t);
                threads.add(Peer.meanwhile(() -> {
                    for (int i = 0; i < TASKS; i++) {
                        int number = i;
                        loop.execute(() -> sequence.run(number));
                        // Long enough, now and then, for the loop to fall asleep.
                        if (random.nextInt(200) == 0) {
                            LockSupport.parkNanos(random.nextInt(500_000));
                        }
                    }
                    // The last task has no other behind it that would wake the loop for it.
                    CompletableFuture<Void> last = new CompletableFuture<>();
                    loop.execute(() -> last.complete(null));
                    assertThat(last).succeedsWithin(Duration.ofSeconds(5));
                }));
            }
            threads.forEach(thread -> assertThat(thread).succeedsWithin(Duration.ofSeconds(60)));
            server.run(() -> {});
            for (Sequence sequence : sequences) {
                assertThat(sequence.next).isEqualTo(TASKS);
                assertThat(sequence.outOfOrder).as("tasks out of order").isZero();
            }
        }
    }

    /** One task at a time, each into a loop that sleeps or is just about to: a lost wake-up would wait for ever. */
    @Fault(36)
    @EveryBackend
    void eachTaskWakesASleepingLoop(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            SplittableRandom random = new SplittableRandom(1);
            long[] latencies = new long[2_000];
            for (int i = 0; i < latencies.length; i++) {
                if (random.nextBoolean()) {
                    LockSupport.parkNanos(random.nextInt(300_000));
                }
                CompletableFuture<Long> ran = new CompletableFuture<>();
                long from = System.nanoTime();
                loop.execute(() -> ran.complete(System.nanoTime()));
                latencies[i] = Recording.soon(ran) - from;
            }
            Arrays.sort(latencies);
            assertThat(Duration.ofNanos(latencies[latencies.length / 2]))
                    .as("median time from execute to the task")
                    .isLessThan(Duration.ofMillis(5));
            assertThat(Duration.ofNanos(latencies[latencies.length - 1]))
                    .as("longest time from execute to the task")
                    .isLessThan(Duration.ofSeconds(2));
        }
    }

    /**
     * The moment between the loop's last look for tasks and its sleep is short: a thread that spins on the end of one task
     * and adds the next a few microseconds later meets it often enough.
     */
    @Fault(36)
    @EveryBackend
    void aTaskThatComesAsTheLoopFallsAsleepIsNotLost(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            Loop loop = server.loop();
            SplittableRandom random = new SplittableRandom(2);
            AtomicInteger ran = new AtomicInteger();
            int tries = setting.masked().isEmpty() ? 50_000 : 10_000;
            for (int i = 1; i <= tries; i++) {
                loop.execute(ran::incrementAndGet);
                long from = System.nanoTime();
                while (ran.get() < i && System.nanoTime() - from < LOST_NANOS) {
                    Thread.onSpinWait();
                }
                assertThat(ran.get()).as("tasks that ran").isEqualTo(i);
                long until = System.nanoTime() + random.nextInt(12_000);
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @EveryBackend
    void tasksRunOnTheLoopAndMayAddTasks(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            Loop loop = server.loop();
            assertThat(loop.inLoop()).isFalse();
            assertThat((boolean) server.call(loop::inLoop)).isTrue();
            List<Integer> order = new ArrayList<>();
            CompletableFuture<Void> done = new CompletableFuture<>();
            loop.execute(() -> {
                loop.execute(() -> {
                    order.add(2);
                    loop.execute(() -> {
                        order.add(3);
                        done.complete(null);
                    });
                });
                order.add(1);
            });
            Recording.soon(done);
            assertThat(order).containsExactly(1, 2, 3);
            // A task that adds itself for ever does not keep the loop from its connections.
            boolean[] stop = new boolean[1];
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    if (!stop[0]) {
                        loop.execute(this);
                    }
                }
            });
            peer.exchange(Content.of(1, 100_000));
            server.run(() -> stop[0] = true);
        }
    }

    @EveryBackend
    void anIdleLoopSleeps(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            peer.exchange(Content.of(1, 1000));
            server.run(() -> {});
            long turns = server.count(Counter.TURNS);
            long enters = server.count(Counter.ENTERS);
            LockSupport.parkNanos(150_000_000L);
            assertThat(server.count(Counter.TURNS) - turns).isLessThan(10);
            assertThat(server.count(Counter.ENTERS) - enters).isLessThan(20);
        }
    }

    @EveryBackend
    @SuppressWarnings("NullAway") // the mistake under test
    void aTaskMustBeThere(Setting setting) throws IOException {
        try (Server server = Server.echo(setting)) {
            assertThatThrownBy(() -> server.loop().execute(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("task");
        }
    }

    /** Interrupts are not the way to wake a loop, and do no harm to it either. */
    @EveryBackend
    void anInterruptDoesNoHarm(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            Thread thread = server.call(Thread::currentThread);
            for (int i = 0; i < 20; i++) {
                thread.interrupt();
                peer.exchange(Content.of(i, 5_000));
            }
        }
    }
}
