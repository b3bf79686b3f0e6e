package dev.headrace.engine.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Slices go out once and come back once. */
class BufferPoolTest {
    private static final int COUNT = 8;
    private static final int BYTES = 100;

    private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();

    private BufferPool pool() {
        return new BufferPool(COUNT, BYTES, inbox::add, Thread.currentThread());
    }

    @Test
    void handsEachSliceOutOnce() {
        try (BufferPool pool = pool()) {
            Set<Integer> taken = new HashSet<>();
            for (int i = 0; i < COUNT; i++) {
                assertThat(taken.add(pool.take())).isTrue();
            }
            assertThat(pool.take()).isEqualTo(-1);
            assertThat(pool.freeCount()).isZero();
            taken.forEach(pool::give);
            assertThat(pool.freeCount()).isEqualTo(COUNT);
        }
    }

    @Test
    void slicesDoNotOverlap() {
        try (BufferPool pool = pool()) {
            List<Long> addresses = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                addresses.add(pool.address(pool.take()));
            }
            addresses.sort(null);
            for (int i = 1; i < COUNT; i++) {
                assertThat(addresses.get(i) - addresses.get(i - 1)).isGreaterThanOrEqualTo(BYTES);
            }
            assertThat(addresses.getLast() + BYTES - addresses.getFirst()).isLessThanOrEqualTo(pool.mappedBytes());
            for (int i = 0; i < COUNT; i++) {
                pool.give(i);
            }
        }
    }

    @Test
    void theLastLeaseGivesTheSliceBack() {
        try (BufferPool pool = pool()) {
            Buffer buffer = pool.lease(pool.take(), 10);
            assertThat(buffer.heldOnce()).isTrue();
            assertThat(buffer.retain()).isSameAs(buffer);
            assertThat(buffer.heldOnce()).isFalse();
            buffer.release();
            assertThat(pool.freeCount()).isEqualTo(COUNT - 1);
            buffer.release();
            assertThat(pool.freeCount()).isEqualTo(COUNT);
            assertThatThrownBy(buffer::release)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("more often");
            assertThatThrownBy(buffer::retain)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("released already");
            assertThat(pool.freeCount()).isEqualTo(COUNT);
        }
    }

    @Test
    void mistakesOfOurOwnAreAsserted() {
        try (BufferPool pool = pool()) {
            int id = pool.take();
            Buffer buffer = pool.lease(id, BYTES);
            assertThatThrownBy(() -> pool.lease(id, 1)).isInstanceOf(AssertionError.class);
            buffer.release();
            assertThatThrownBy(() -> pool.give(id))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("twice");
            assertThatThrownBy(() -> pool.lease(pool.take(), BYTES + 1)).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void aReleaseElsewhereComesThroughTheInbox() throws InterruptedException {
        try (BufferPool pool = pool()) {
            Buffer buffer = pool.lease(pool.take(), 10);
            Thread other = Thread.ofPlatform().start(buffer::release);
            other.join();
            assertThat(pool.freeCount()).isEqualTo(COUNT - 1);
            assertThat(inbox).hasSize(1);
            inbox.remove().run();
            assertThat(pool.freeCount()).isEqualTo(COUNT);
        }
    }

    @Test
    void countsWhatIsLent() {
        try (BufferPool pool = pool()) {
            int lent = pool.lend();
            int taken = pool.take();
            assertThat(pool.freeCount()).isEqualTo(COUNT - 2);
            assertThat(pool.receivable()).isEqualTo(COUNT - 1);
            pool.recovered();
            assertThat(pool.receivable()).isEqualTo(COUNT - 2);
            pool.give(lent);
            pool.give(taken);
            assertThatThrownBy(pool::recovered).isInstanceOf(AssertionError.class);
            for (int i = 0; i < COUNT; i++) {
                assertThat(pool.lend()).isNotNegative();
            }
            assertThat(pool.lend()).isEqualTo(-1);
            assertThat(pool.receivable()).isEqualTo(COUNT);
        }
    }

    @Test
    void contentsAreReadAsTheyWereWritten() {
        try (BufferPool pool = pool()) {
            Buffer buffer = pool.lease(pool.take(), 16);
            byte[] content = new byte[16];
            new SplittableRandom(1).nextBytes(content);
            buffer.segment().copyFrom(MemorySegment.ofArray(content));
            assertThat(buffer.toArray()).isEqualTo(content);
            assertThat(buffer.get(3)).isEqualTo(content[3]);
            byte[] part = new byte[10];
            buffer.copyTo(4, part, 2, 8);
            assertThat(Arrays.copyOfRange(part, 2, 10)).isEqualTo(Arrays.copyOfRange(content, 4, 12));
            var bytes = ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
            assertThat(buffer.getInt(5)).isEqualTo(bytes.getInt(5));
            assertThat(buffer.getLong(7)).isEqualTo(bytes.getLong(7));
            buffer.release();
        }
    }

    /** With assertions on, a use after the release shows. */
    @Test
    void aReleasedSliceIsOverwritten() {
        try (BufferPool pool = pool()) {
            int id = pool.take();
            Buffer buffer = pool.lease(id, BYTES);
            buffer.segment().fill((byte) 7);
            byte[] before = buffer.toArray();
            buffer.release();
            assertThat(buffer.toArray()).isNotEqualTo(before);
        }
    }

    @Test
    void anySequenceKeepsTheBooks() {
        SplittableRandom random = new SplittableRandom(3);
        try (BufferPool pool = pool()) {
            ArrayDeque<Buffer> leases = new ArrayDeque<>();
            for (int i = 0; i < 100_000; i++) {
                if (random.nextBoolean()) {
                    int id = pool.take();
                    if (id >= 0) {
                        leases.add(pool.lease(id, random.nextInt(BYTES + 1)));
                    }
                } else if (!leases.isEmpty()) {
                    Buffer buffer = leases.remove();
                    if (random.nextInt(3) == 0) {
                        leases.add(buffer.retain());
                    }
                    buffer.release();
                }
                assertThat(pool.freeCount() + Set.copyOf(leases).size()).isEqualTo(COUNT);
            }
            leases.forEach(Buffer::release);
        }
    }

    @Test
    void sizesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new BufferPool(0, 1, inbox::add, Thread.currentThread()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1..65536");
        assertThatThrownBy(() -> new BufferPool(65_537, 1, inbox::add, Thread.currentThread()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65537");
        assertThatThrownBy(() -> new BufferPool(1, 0, inbox::add, Thread.currentThread()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("size");
    }

    /** Memory that somebody may touch is never taken away. */
    @Test
    void aLeasedSliceOutlivesThePool() {
        BufferPool pool = pool();
        Buffer buffer = pool.lease(pool.take(), 5);
        buffer.segment().fill((byte) 9);
        pool.close();
        assertThat(buffer.toArray()).containsOnly(9);
    }
}
