package dev.headrace.engine.readiness;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Fcntl;
import dev.headrace.abi.linux.FdSet;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.Select;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;

/**
 * {@code pselect6(2)}: sets of bits, and so only descriptors below FD_SETSIZE. {@link #watch} refuses others with EMFILE,
 * for their bits would lie in somebody else's memory.
 *
 * <p>The kernel says here only "readable" and "writable". With interest in one of them, an end or an error is reported as
 * that. A descriptor without interest is in no set: {@link SilentDescriptors} looks at it from time to time, and meanwhile
 * each wait is kept short, so that it may end early without an event. A descriptor that was closed without being forgotten
 * is reported as hung up, for as long as it stays here.
 *
 * <p>Thread: the loop's. Owns: the sets.
 */
public final class SelectPoller implements Poller {
    /**
     * Events taken per wait, as with epoll: a batch is received whole before its answers are sent. The search for the next
     * batch begins behind the last event of this one, so each ready descriptor has its turn.
     */
    private static final int EVENTS_MAX = 64;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final SystemCalls calls;
    private final Arena arena = Arena.ofShared();
    /** The interests, a set for input and one for output. */
    private final long readInterest = arena.allocate(4L * FdSet.SIZE, 64).address();

    private final long writeInterest = readInterest + FdSet.SIZE;
    /** What the kernel is asked with each time, and answers in. */
    private final long readable = writeInterest + FdSet.SIZE;

    private final long writable = readable + FdSet.SIZE;
    private final long timeout = arena.allocate(KernelTimespec.SIZE, 8).address();

    private final SilentDescriptors silent;
    private final boolean[] watched = new boolean[Select.FD_SETSIZE];
    private final long[] tokens = new long[Select.FD_SETSIZE];
    /** One more than the highest descriptor in the sets. */
    private int nfds;
    /** Where the next search for events begins. */
    private int start;

    private final long[] eventTokens = new long[EVENTS_MAX];
    private final int[] eventBits = new int[EVENTS_MAX];
    private int eventCount;

    /**
     * Asks the kernel whether there is pselect6.
     *
     * @throws IOException when it refuses, with its reason
     */
    public SelectPoller(SystemCalls calls) throws IOException {
        this.calls = calls;
        this.silent = new SilentDescriptors(calls, arena);
        int result = calls.pselect6(0, 0, 0, 0, timeout);
        if (result < 0) {
            arena.close();
            throw SocketErrors.exception("pselect6", result);
        }
    }

    @Override
    public int descriptorsMax() {
        return Select.FD_SETSIZE;
    }

    /** As the interface says; -EMFILE for a descriptor from {@link #descriptorsMax} on, of which nothing is kept. */
    @Override
    public int watch(int fd, boolean registered, int interest, long token) {
        if (fd < 0) {
            return -Errno.EBADF;
        }
        if (fd >= Select.FD_SETSIZE) {
            return -Errno.EMFILE;
        }
        if (registered != watched[fd]) {
            return registered ? -Errno.ENOENT : -Errno.EEXIST;
        }
        watched[fd] = true;
        tokens[fd] = token;
        place(fd, interest);
        if ((interest & (READ | WRITE)) == 0) {
            silent.add(fd);
        }
        return 0;
    }

    @Override
    public int forget(int fd) {
        if (fd < 0 || fd >= Select.FD_SETSIZE || !watched[fd]) {
            return -Errno.ENOENT;
        }
        watched[fd] = false;
        place(fd, 0);
        return 0;
    }

    /** Puts a descriptor into the sets of its interest, and takes it out of all others. */
    private void place(int fd, int interest) {
        silent.remove(fd);
        put(readInterest, fd, (interest & READ) != 0);
        put(writeInterest, fd, (interest & WRITE) != 0);
        if ((interest & (READ | WRITE)) != 0) {
            nfds = Math.max(nfds, fd + 1);
        } else if (nfds == fd + 1) {
            nfds = highest(fd) + 1;
        }
    }

    private static void put(long set, int fd, boolean wanted) {
        if (wanted) {
            FdSet.set(set, fd);
        } else {
            FdSet.clear(set, fd);
        }
    }

    /** The highest descriptor in the sets of interest, none being above {@code atMost}; -1 if they are empty. */
    private int highest(int atMost) {
        for (int word = atMost >>> 6; word >= 0; word--) {
            long bits = FdSet.word(readInterest, word) | FdSet.word(writeInterest, word);
            if (bits != 0) {
                return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
            }
        }
        return -1;
    }

    @Override
    public int await(long waitNanos) {
        eventCount = 0;
        long boundedNanos = waitNanos;
        if (!silent.isEmpty()) {
            int hungUp = silent.look();
            for (int i = 0; i < hungUp; i++) {
                add(silent.hungUp(i), HANG_UP);
            }
            boundedNanos = hungUp > 0 ? 0 : silent.bound(waitNanos);
        }
        Memory.copy(readInterest, readable, 2L * FdSet.SIZE);
        // Filled each time: the kernel leaves there the time that a wait did not use.
        KernelTimespec.tvSec(timeout, boundedNanos / NANOS_PER_SECOND);
        KernelTimespec.tvNsec(timeout, boundedNanos % NANOS_PER_SECOND);
        int ready = calls.awaitSelect(nfds, readable, writable, 0, boundedNanos < 0 ? 0 : timeout);
        if (ready > 0 || ready == -Errno.EBADF) {
            gather(ready < 0);
        } else if (ready < 0 && ready != -Errno.EINTR) {
            throw new IllegalStateException("pselect6: " + Errno.describe(-ready));
        }
        return eventCount;
    }

    /**
     * Takes the events of the last call, from the set bits; one pass over the sets at the most.
     *
     * @param failed whether the call failed for a descriptor that is closed; which one it does not say, and the sets are
     *     still those of interest
     */
    private void gather(boolean failed) {
        int words = (nfds + Long.SIZE - 1) / Long.SIZE;
        int first = start < nfds ? start : 0;
        // The first word is visited twice: from the first descriptor on, and in the end up to it.
        for (int step = 0; step <= words; step++) {
            int word = ((first >>> 6) + step) % words;
            long bits = FdSet.word(readable, word) | FdSet.word(writable, word);
            long fromFirst = -1L << first; // a shift by the number within its word
            bits &= step == 0 ? fromFirst : step == words ? ~fromFirst : -1L;
            for (; bits != 0; bits &= bits - 1) {
                int fd = (word << 6) + Long.numberOfTrailingZeros(bits);
                if (eventCount == EVENTS_MAX) {
                    start = fd;
                    return;
                }
                report(fd, failed);
            }
        }
    }

    private void report(int fd, boolean failed) {
        if (!failed) {
            add(fd, (FdSet.isSet(readable, fd) ? READ : 0) | (FdSet.isSet(writable, fd) ? WRITE : 0));
        } else if (calls.fcntl(fd, Fcntl.F_GETFD, 0) == -Errno.EBADF) {
            add(fd, HANG_UP);
        }
    }

    private void add(int fd, int events) {
        eventTokens[eventCount] = tokens[fd];
        eventBits[eventCount++] = events;
    }

    @Override
    public long token(int index) {
        return eventTokens[index];
    }

    @Override
    public int events(int index) {
        return eventBits[index];
    }

    @Override
    public void close() {
        arena.close();
    }
}
