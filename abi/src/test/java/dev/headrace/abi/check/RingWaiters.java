package dev.headrace.abi.check;

import static dev.headrace.abi.linux.IoUring.IORING_ENTER_GETEVENTS;
import static dev.headrace.abi.linux.IoUring.IORING_OP_POLL_ADD;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Eventfd;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.SyscallNumber;
import dev.headrace.abi.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;

/** Threads that each wait on a ring of their own, with a request pending that never completes, until a time-out. */
final class RingWaiters {
    static final int THREADS = 24;

    private final int flags;
    private final long nanos;
    private final CountDownLatch started = new CountDownLatch(THREADS);
    private final AtomicIntegerArray tids = new AtomicIntegerArray(THREADS);
    private final AtomicIntegerArray results = new AtomicIntegerArray(THREADS);

    /** Waiters that pass {@code flags} to io_uring_enter(2) and wait for {@code nanos}. */
    RingWaiters(int flags, long nanos) {
        this.flags = flags;
        this.nanos = nanos;
    }

    /**
     * Lets them wait, and gives the least number of threads that the kernel counted as waiting for a disk while all of
     * them waited; -1 if that could never be seen.
     */
    long leastBlocked() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int index = i;
            threads.add(Thread.ofPlatform().start(() -> run(index)));
        }
        try {
            started.await();
            long least = Long.MAX_VALUE;
            long start = System.nanoTime();
            while (System.nanoTime() - start < nanos) {
                boolean before = allWait();
                long blocked = blocked();
                if (before && allWait()) {
                    least = Math.min(least, blocked);
                }
                Thread.sleep(1);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return least == Long.MAX_VALUE ? -1 : least;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether all have waited to the end. */
    boolean allTimedOut() {
        for (int i = 0; i < THREADS; i++) {
            if (results.get(i) != -Errno.ETIME) {
                return false;
            }
        }
        return true;
    }

    private void run(int index) {
        SystemCalls calls = new SystemCalls();
        int eventfd = calls.eventfd(0, Eventfd.EFD_CLOEXEC);
        try (ScratchRing ring = ScratchRing.open(calls, 0)) {
            if (ring == null) {
                return;
            }
            long sqe = ring.entry(IORING_OP_POLL_ADD);
            IoUringSqe.fd(sqe, eventfd);
            IoUringSqe.opFlags(sqe, Poll.POLLIN);
            ring.submit();
            tids.set(index, calls.gettid());
            started.countDown();
            started.await();
            long start = System.nanoTime();
            int result = ring.wait(IORING_ENTER_GETEVENTS | flags, nanos);
            results.set(index, System.nanoTime() - start < nanos ? 0 : result);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            started.countDown();
            calls.close(eventfd);
        }
    }

    /** Whether all threads sleep in io_uring_enter(2), see proc_pid_syscall(5). */
    private boolean allWait() {
        try {
            for (int i = 0; i < THREADS; i++) {
                String call = Files.readString(Path.of("/proc/self/task/" + tids.get(i) + "/syscall"));
                if (!call.startsWith(SyscallNumber.SYS_io_uring_enter + " ")) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static long blocked() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
            String line = lines.filter(text -> text.startsWith("procs_blocked "))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(line.substring(line.indexOf(' ') + 1));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
