package dev.headrace.engine.readiness;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Inet;
import dev.headrace.abi.linux.Select;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.abi.linux.Tcp;
import dev.headrace.abi.linux.TcpInfo;
import java.lang.foreign.Arena;

/**
 * The descriptors of a {@link SelectPoller} in which nothing is of interest but their end, which {@code select(2)} cannot
 * tell alone: TCP is asked for their state every {@value #PERIOD_MILLIS} milliseconds.
 *
 * <p>Of a descriptor that is no TCP socket it learns only that it was closed.
 *
 * <p>Thread: the loop's. Owns: its arrays.
 */
final class SilentDescriptors {
    /** How long an end may stay unseen; looking costs one call for each descriptor. */
    static final int PERIOD_MILLIS = 50;

    /** Ends told at once; fewer than the events of a wait, so that those who hung up do not keep out those who speak. */
    private static final int TOLD_MAX = 32;

    private static final long PERIOD_NANOS = PERIOD_MILLIS * 1_000_000L;

    private final SystemCalls calls;
    private final long info;
    private final long infoLength;

    private final int[] descriptors = new int[Select.FD_SETSIZE];
    /** By descriptor: 1 + its place among the descriptors, or 0. */
    private final int[] places = new int[Select.FD_SETSIZE];

    private int count;
    /** The place at which the next look begins. */
    private int start;

    private long nextLookNanos = System.nanoTime();
    private final int[] hungUp = new int[TOLD_MAX];

    SilentDescriptors(SystemCalls calls, Arena arena) {
        this.calls = calls;
        this.info = arena.allocate(2L * Integer.BYTES, Integer.BYTES).address();
        this.infoLength = info + Integer.BYTES;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Adds a descriptor that is not here. */
    void add(int fd) {
        assert places[fd] == 0 : fd;
        descriptors[count++] = fd;
        places[fd] = count;
    }

    /** Removes a descriptor, if it is here: the last one takes its place. */
    void remove(int fd) {
        int place = places[fd] - 1;
        if (place >= 0) {
            int last = descriptors[--count];
            descriptors[place] = last;
            places[last] = place + 1;
            places[fd] = 0;
        }
    }

    /** Looks at the descriptors when it is time to, and gives how many of them hung up; more may come next time. */
    int look() {
        long now = System.nanoTime();
        if (now - nextLookNanos < 0) {
            return 0;
        }
        int found = 0;
        int place = start < count ? start : 0;
        for (int passed = 0; passed < count && found < TOLD_MAX; passed++) {
            int fd = descriptors[place];
            if (isOver(fd)) {
                hungUp[found++] = fd;
            }
            place = place + 1 < count ? place + 1 : 0;
        }
        start = place;
        // An end is told in each wait for as long as it is here, as other pollers do.
        nextLookNanos = found > 0 ? now : now + PERIOD_NANOS;
        return found;
    }

    /** A descriptor that the last {@link #look} found hung up. */
    int hungUp(int index) {
        return hungUp[index];
    }

    /** The wait, cut so that it ends when the next look is due. */
    long bound(long waitNanos) {
        long untilLookNanos = Math.max(0, nextLookNanos - System.nanoTime());
        return waitNanos < 0 ? untilLookNanos : Math.min(waitNanos, untilLookNanos);
    }

    /** Whether both directions are over, which is when others report a hang-up; or the descriptor is closed. */
    private boolean isOver(int fd) {
        Memory.putInt(infoLength, 1);
        int result = calls.getsockopt(fd, Inet.IPPROTO_TCP, Tcp.TCP_INFO, info, infoLength);
        if (result < 0) {
            return result == -Errno.EBADF;
        }
        return switch (TcpInfo.tcpiState(info)) {
            case Tcp.TCP_CLOSE, Tcp.TCP_LAST_ACK, Tcp.TCP_CLOSING -> true;
            default -> false;
        };
    }
}
