package dev.headrace.engine.readiness;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.KernelTimespec;
import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.Pollfd;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * {@code ppoll(2)}: the kernel looks at each descriptor in each wait, and so does this.
 *
 * <p>The array handed to the kernel is dense: a descriptor that is forgotten gives its place to the last one. A descriptor
 * that was closed without being forgotten is reported as hung up, for as long as it stays here.
 *
 * <p>Thread: the loop's. Owns: the array.
 */
public final class PollPoller implements Poller {
    /**
     * Events taken per wait, as with epoll: a batch is received whole before its answers are sent. The search for the next
     * batch begins behind the last event of this one, so each ready descriptor has its turn.
     */
    private static final int EVENTS_MAX = 64;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final int CAPACITY_AT_FIRST = 64;

    private final SystemCalls calls;
    private final Arena arena = Arena.ofShared();
    private final long timeout = arena.allocate(KernelTimespec.SIZE, 8).address();

    /** The first {@link #count} are in use. */
    private Entries entries = new Entries(CAPACITY_AT_FIRST);

    /** By place in the array. */
    private long[] tokens = new long[CAPACITY_AT_FIRST];

    private int count;
    /** By descriptor: 1 + its place in the array, or 0. */
    private int[] places = new int[256];
    /** Where the next search for events begins. */
    private int start;

    private final long[] eventTokens = new long[EVENTS_MAX];
    private final int[] eventBits = new int[EVENTS_MAX];

    /** Memory for an array of {@link Pollfd}. */
    private static final class Entries implements AutoCloseable {
        final Arena arena = Arena.ofShared();
        final long address;

        Entries(int capacity) {
            address = arena.allocate((long) capacity * Pollfd.SIZE, 64).address();
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /**
     * Asks the kernel whether there is ppoll.
     *
     * @throws IOException when it refuses, with its reason
     */
    public PollPoller(SystemCalls calls) throws IOException {
        this.calls = calls;
        int result = calls.ppoll(entries.address, 0, timeout);
        if (result < 0) {
            close();
            throw SocketErrors.exception("ppoll", result);
        }
    }

    @Override
    public int watch(int fd, boolean registered, int interest, long token) {
        if (fd < 0) {
            return -Errno.EBADF;
        }
        int place = place(fd);
        if (registered != place >= 0) {
            return registered ? -Errno.ENOENT : -Errno.EEXIST;
        }
        if (place < 0) {
            place = add(fd);
        }
        int mask = 0;
        if ((interest & READ) != 0) {
            mask |= Poll.POLLIN | Poll.POLLRDHUP;
        }
        if ((interest & WRITE) != 0) {
            mask |= Poll.POLLOUT;
        }
        Pollfd.events(entry(place), mask);
        tokens[place] = token;
        return 0;
    }

    /** The place of a descriptor in the array, or -1. */
    private int place(int fd) {
        return fd < 0 || fd >= places.length ? -1 : places[fd] - 1;
    }

    private long entry(int place) {
        return entries.address + (long) place * Pollfd.SIZE;
    }

    private int add(int fd) {
        if (count == tokens.length) {
            grow();
        }
        if (fd >= places.length) {
            places = Arrays.copyOf(places, Math.max(fd + 1, 2 * places.length));
        }
        int place = count++;
        places[fd] = place + 1;
        Pollfd.fd(entry(place), fd);
        return place;
    }

    private void grow() {
        Entries outgrown = entries;
        entries = new Entries(2 * count);
        Memory.copy(outgrown.address, entries.address, (long) count * Pollfd.SIZE);
        outgrown.close();
        tokens = Arrays.copyOf(tokens, 2 * count);
    }

    @Override
    public int forget(int fd) {
        int place = place(fd);
        if (place < 0) {
            return -Errno.ENOENT;
        }
        int last = --count;
        places[fd] = 0;
        if (place != last) {
            Memory.copy(entry(last), entry(place), Pollfd.SIZE);
            tokens[place] = tokens[last];
            places[Pollfd.fd(entry(place))] = place + 1;
        }
        return 0;
    }

    @Override
    public int await(long waitNanos) {
        // Filled each time: the kernel leaves there the time that a wait did not use.
        KernelTimespec.tvSec(timeout, waitNanos / NANOS_PER_SECOND);
        KernelTimespec.tvNsec(timeout, waitNanos % NANOS_PER_SECOND);
        int ready = calls.awaitPoll(entries.address, count, waitNanos < 0 ? 0 : timeout);
        if (ready < 0 && ready != -Errno.EINTR) {
            throw new IllegalStateException(
                    "ppoll of " + count + " descriptors: " + Errno.describe(-ready) + remedy(ready));
        }
        return ready > 0 ? gather(ready) : 0;
    }

    private static String remedy(int result) {
        return result == -Errno.EINVAL ? "; more are watched than the descriptor limit of the process allows" : "";
    }

    /** Takes the events of the last call, of which there are {@code ready}; one pass over the array at the most. */
    private int gather(int ready) {
        int wanted = Math.min(ready, EVENTS_MAX);
        int found = 0;
        int place = start < count ? start : 0;
        for (int passed = 0; passed < count && found < wanted; passed++) {
            int revents = Pollfd.revents(entry(place));
            if (revents != 0) {
                eventTokens[found] = tokens[place];
                eventBits[found++] = bits(revents);
            }
            place = place + 1 < count ? place + 1 : 0;
        }
        start = place;
        return found;
    }

    private static int bits(int revents) {
        int bits = 0;
        if ((revents & (Poll.POLLIN | Poll.POLLRDHUP)) != 0) {
            bits |= READ;
        }
        if ((revents & Poll.POLLOUT) != 0) {
            bits |= WRITE;
        }
        if ((revents & (Poll.POLLHUP | Poll.POLLERR | Poll.POLLNVAL)) != 0) {
            bits |= HANG_UP;
        }
        return bits;
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
        entries.close();
        arena.close();
    }
}
