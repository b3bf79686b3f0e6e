package dev.headrace.engine.readiness;

import dev.headrace.engine.driver.Operation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is parked on each descriptor, indexed by its number.
 *
 * <p>Arrays instead of an object each: a descriptor costs 14 bytes, and the entries of busy descriptors share cache
 * lines.
 *
 * <p>Thread: the loop's. Owns: its arrays.
 */
final class DescriptorTable {
    /** Set in {@link #watched} when the poller knows the descriptor; the lower bits are the interest in force. */
    private static final byte REGISTERED = 64;

    private @Nullable Operation[] readers = new Operation[256];
    private @Nullable Operation[] writers = new Operation[256];
    private byte[] watched = new byte[256];
    private int[] generations = new int[256];
    private boolean[] changed = new boolean[256];

    /** Descriptors whose interest may have to be told to the poller. */
    private int[] changes = new int[64];

    private int changeCount;

    void ensure(int fd) {
        if (fd >= readers.length) {
            int capacity = Math.max(fd + 1, readers.length * 2);
            readers = Arrays.copyOf(readers, capacity);
            writers = Arrays.copyOf(writers, capacity);
            watched = Arrays.copyOf(watched, capacity);
            generations = Arrays.copyOf(generations, capacity);
            changed = Arrays.copyOf(changed, capacity);
        }
    }

    @Nullable
    Operation reader(int fd) {
        return readers[fd];
    }

    @Nullable
    Operation writer(int fd) {
        return writers[fd];
    }

    void reader(int fd, @Nullable Operation operation) {
        readers[fd] = operation;
        noteChange(fd);
    }

    void writer(int fd, @Nullable Operation operation) {
        writers[fd] = operation;
        noteChange(fd);
    }

    /** Identifies the descriptor in events, until it is closed. */
    long token(int fd) {
        return (long) generations[fd] << Integer.SIZE | fd;
    }

    /** Whether an event is about the descriptor as it is now, not about an earlier one of the same number. */
    boolean current(long token) {
        return generations[(int) token] == (int) (token >>> Integer.SIZE);
    }

    boolean registered(int fd) {
        return (watched[fd] & REGISTERED) != 0;
    }

    int interest(int fd) {
        return watched[fd] & ~REGISTERED;
    }

    void watching(int fd, int interest) {
        watched[fd] = (byte) (REGISTERED | interest);
    }

    void notWatching(int fd) {
        watched[fd] = 0;
    }

    /** The descriptor is closed: events that still name it are stale from here on. */
    void retire(int fd) {
        generations[fd]++;
        watched[fd] = 0;
    }

    void noteChange(int fd) {
        if (!changed[fd]) {
            changed[fd] = true;
            if (changeCount == changes.length) {
                changes = Arrays.copyOf(changes, changeCount * 2);
            }
            changes[changeCount++] = fd;
        }
    }

    /** The next descriptor to look at, or -1. */
    int nextChange() {
        if (changeCount == 0) {
            return -1;
        }
        int fd = changes[--changeCount];
        changed[fd] = false;
        return fd;
    }
}
