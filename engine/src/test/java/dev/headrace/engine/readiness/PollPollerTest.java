package dev.headrace.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Resource;
import dev.headrace.abi.linux.Rlimit;
import dev.headrace.abi.linux.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What poll alone does. */
@Timeout(60)
class PollPollerTest {
    private static final long LONG_WAIT_NANOS = 5_000_000_000L;

    private final SystemCalls calls = new SystemCalls();
    private final RealDescriptors descriptors = new RealDescriptors(calls);
    private final PollPoller poller;

    PollPollerTest() throws IOException {
        poller = new PollPoller(calls);
    }

    @AfterEach
    void close() {
        poller.close();
        descriptors.close();
    }

    /** The kernel marks it as invalid in each call, so a wait would end at once and say nothing. */
    @Test
    void aDescriptorThatWasClosedHangsUp() {
        for (int interest : new int[] {0, Poller.READ, Poller.WRITE}) {
            int fd = descriptors.counter();
            assertThat(poller.watch(fd, false, interest, 5)).isZero();
            descriptors.close(fd);
            for (int i = 0; i < 3; i++) {
                assertThat(poller.await(LONG_WAIT_NANOS)).isEqualTo(1);
                assertThat(poller.token(0)).isEqualTo(5);
                assertThat(poller.events(0)).isEqualTo(Poller.HANG_UP);
            }
            assertThat(poller.forget(fd)).isZero();
            assertThat(poller.await(0)).isZero();
        }
    }

    /** Numbers of descriptors far apart share a dense array. */
    @Test
    void theArrayIsDense() {
        int counter = descriptors.counter();
        int far = descriptors.duplicate(counter, 15_000);
        assertThat(poller.watch(counter, false, Poller.READ, 1)).isZero();
        assertThat(poller.watch(far, false, Poller.READ, 2)).isZero();
        assertThat(poller.forget(counter)).isZero();
        descriptors.signal(counter);
        assertThat(poller.await(LONG_WAIT_NANOS)).isEqualTo(1);
        assertThat(poller.token(0)).isEqualTo(2);
        assertThat(poller.forget(far)).isZero();
        assertThat(poller.await(0)).isZero();
    }

    /** The kernel refuses more entries than the process may have descriptors. */
    @Test
    void aLimitThatWasLoweredIsNamed() {
        int watched = 3;
        for (int i = 0; i < watched; i++) {
            assertThat(poller.watch(descriptors.counter(), false, Poller.READ, 1))
                    .isZero();
        }
        String refusal = refusalWithLimit(watched - 1);
        assertThat(refusal).contains("3 descriptors", "EINVAL", "descriptor limit");
        assertThat(poller.await(0)).isZero();
    }

    /** What the poller says when the process may have no more than so many descriptors; the limit is put back. */
    private String refusalWithLimit(int limit) {
        // Loaded before, as no class can be loaded while no file can be opened.
        String refusal = Errno.describe(Errno.EINVAL);
        try (Arena arena = Arena.ofConfined()) {
            long before = arena.allocate(Rlimit.SIZE, 8).address();
            assertThat(calls.prlimit(0, Resource.RLIMIT_NOFILE, 0, before)).isZero();
            long lowered = arena.allocate(Rlimit.SIZE, 8).address();
            Rlimit.rlimCur(lowered, limit);
            Rlimit.rlimMax(lowered, Rlimit.rlimMax(before));
            assertThat(calls.prlimit(0, Resource.RLIMIT_NOFILE, lowered, 0)).isZero();
            try {
                poller.await(0);
                refusal = "none";
            } catch (IllegalStateException e) {
                refusal = e.toString();
            } finally {
                calls.prlimit(0, Resource.RLIMIT_NOFILE, before, 0);
            }
        }
        return refusal;
    }

    @Test
    void theBackendIsThere() {
        assertThat(PollBackend.unavailableBecause()).isNull();
        assertThat(PollBackend.capabilities().uses("level-triggered")).isTrue();
    }
}
