package dev.headrace.engine;

import org.jspecify.annotations.Nullable;

/**
 * The timers of a loop: a wheel of slots, a millisecond each, with the timers of one slot in a list. Adding and
 * cancelling take constant time however many there are; a timer further away than one revolution stays in its slot until
 * its round comes.
 *
 * <p>A task runs at its time or up to a millisecond later, never earlier.
 *
 * <p>Thread: the loop's. Owns: its slots.
 */
final class TimerWheel {
    static final long TICK_NANOS = 1_000_000L;
    private static final int SLOTS = 1024;

    private final @Nullable Timer[] slots = new Timer[SLOTS];
    private final long[] occupied = new long[SLOTS / Long.SIZE];
    private final long originNanos;
    /** Every tick before this one has been served. */
    private long nextTick;

    private int count;

    TimerWheel(long nowNanos) {
        this.originNanos = nowNanos;
    }

    Timer schedule(long nowNanos, long delayNanos, Runnable task) {
        long dueNanos = nowNanos - originNanos + Math.max(0, delayNanos);
        long tick = Math.max((dueNanos + TICK_NANOS - 1) / TICK_NANOS, nextTick);
        Timer timer = new Timer(task, tick, this);
        int slot = slot(tick);
        timer.next = slots[slot];
        if (timer.next != null) {
            timer.next.previous = timer;
        }
        slots[slot] = timer;
        occupied[slot / Long.SIZE] |= 1L << slot;
        count++;
        return timer;
    }

    void remove(Timer timer) {
        int slot = slot(timer.deadlineTick);
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        }
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        } else {
            slots[slot] = timer.next;
            if (timer.next == null) {
                occupied[slot / Long.SIZE] &= ~(1L << slot);
            }
        }
        timer.next = null;
        timer.previous = null;
        count--;
    }

    /** Takes the next timer whose time has come off the wheel, or null when there is none yet. */
    @Nullable
    Timer expire(long nowNanos) {
        if (count == 0) {
            nextTick = Math.max(nextTick, tickAt(nowNanos));
            return null;
        }
        long now = tickAt(nowNanos);
        // Ticks that lie more than one revolution back share their slots with later ones.
        nextTick = Math.max(nextTick, now - SLOTS);
        for (; nextTick <= now; nextTick++) {
            for (Timer timer = slots[slot(nextTick)]; timer != null; timer = timer.next) {
                if (timer.deadlineTick <= now) {
                    remove(timer);
                    timer.expired();
                    return timer;
                }
            }
        }
        return null;
    }

    /** Nanoseconds until the next occupied slot, which is not later than the next timer; negative when there is none. */
    long delayNanos(long nowNanos) {
        if (count == 0) {
            return -1;
        }
        int start = slot(nextTick);
        for (int distance = 0; distance < SLOTS; ) {
            int slot = (start + distance) & (SLOTS - 1);
            long word = occupied[slot / Long.SIZE] >>> slot;
            if (word != 0) {
                long tick = nextTick + distance + Long.numberOfTrailingZeros(word);
                return Math.max(0, originNanos + tick * TICK_NANOS - nowNanos);
            }
            distance += Long.SIZE - slot % Long.SIZE;
        }
        throw new AssertionError(count + " timers and no occupied slot");
    }

    private long tickAt(long nowNanos) {
        return (nowNanos - originNanos) / TICK_NANOS;
    }

    private static int slot(long tick) {
        return (int) tick & (SLOTS - 1);
    }
}
