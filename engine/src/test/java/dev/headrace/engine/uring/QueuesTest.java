package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.IoUringSqe;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two queues of a ring, over plain memory, also where their 32-bit counters wrap. */
class QueuesTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -3, Integer.MAX_VALUE - 2, 12_345})
    void submissionsArriveInOrderAndNoneIsOverwritten(int start) {
        SplittableRandom random = new SplittableRandom(start);
        try (MemoryRing ring = new MemoryRing(8, 16, start)) {
            SubmissionQueue queue = new SubmissionQueue(ring);
            assertThat(queue.entries()).isEqualTo(8);
            assertThat(queue.consumed()).isEqualTo(start);
            int taken = 0;
            int consumed = 0;
            for (int step = 0; step < 10_000; step++) {
                assertThat(queue.full()).isEqualTo(taken - consumed == 8);
                if (!queue.full() && random.nextBoolean()) {
                    long sqe = queue.take();
                    assertThat(IoUringSqe.userData(sqe)).as("a fresh entry").isZero();
                    assertThat(IoUringSqe.bufGroup(sqe)).isZero();
                    IoUringSqe.userData(sqe, taken);
                    IoUringSqe.bufGroup(sqe, 7);
                    assertThat(queue.position()).isEqualTo(start + taken);
                    taken++;
                } else {
                    assertThat(queue.publish()).isEqualTo(taken - consumed);
                    consumed += ring.consume(random.nextInt(taken - consumed + 1));
                    assertThat(queue.consumed()).isEqualTo(start + consumed);
                }
            }
            for (int i = 0; i < ring.submitted().size(); i++) {
                assertThat(ring.submitted().get(i).userData()).isEqualTo(i);
            }
            assertThat(ring.submitted()).hasSize(consumed).hasSizeGreaterThan(1_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -3, Integer.MAX_VALUE - 2})
    void completionsAreReadOnceAndInOrder(int start) {
        SplittableRandom random = new SplittableRandom(start);
        try (MemoryRing ring = new MemoryRing(8, 16, start)) {
            CompletionQueue queue = new CompletionQueue(ring);
            Queue<Long> expected = new ArrayDeque<>();
            long next = 0;
            for (int step = 0; step < 10_000; step++) {
                if (random.nextBoolean()) {
                    expected.add(next);
                    ring.complete(next, (int) next * 2, (int) next * 3);
                    next++;
                } else {
                    for (int n = queue.available(); n > 0; n--) {
                        queue.next();
                        long userData = expected.remove();
                        assertThat(queue.userData()).isEqualTo(userData);
                        assertThat(queue.result()).isEqualTo((int) userData * 2);
                        assertThat(queue.flags()).isEqualTo((int) userData * 3);
                    }
                    queue.release();
                    boolean more = !expected.isEmpty();
                    assertThat(queue.overflowed()).isEqualTo(more);
                    ring.moveOverflowIn();
                }
            }
            assertThat(next).isGreaterThan(1_000);
        }
    }
}
