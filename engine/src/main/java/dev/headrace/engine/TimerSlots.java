package dev.headrace.engine;

import org.jspecify.annotations.Nullable;

/**
 * A circle of slots with the timers of each in a list, and a bit for each slot that has any.
 *
 * <p>Thread: the loop's. Owns: the lists.
 */
final class TimerSlots {
    static final int COUNT = 1024;

    private final @Nullable Timer[] first = new Timer[COUNT];
    private final @Nullable Timer[] last = new Timer[COUNT];
    private final long[] occupied = new long[COUNT / Long.SIZE];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    @Nullable
    Timer first(long index) {
        return first[slot(index)];
    }

    /** Adds a timer behind those that are there: of one time, the first to be scheduled runs first. */
    void add(Timer timer, long index) {
        int slot = slot(index);
        timer.place(this, slot);
        timer.next = null;
        timer.previous = last[slot];
        if (timer.previous != null) {
            timer.previous.next = timer;
        } else {
            first[slot] = timer;
        }
        last[slot] = timer;
        occupied[slot / Long.SIZE] |= 1L << slot;
        count++;
    }

    void remove(Timer timer, int slot) {
        if (timer.next != null) {
            timer.next.previous = timer.previous;
        } else {
            last[slot] = timer.previous;
        }
        if (timer.previous != null) {
            timer.previous.next = timer.next;
        } else {
            first[slot] = timer.next;
            if (timer.next == null) {
                occupied[slot / Long.SIZE] &= ~(1L << slot);
            }
        }
        timer.next = null;
        timer.previous = null;
        count--;
    }

    /** The next index from {@code index} on whose slot has timers; there must be one. */
    long nextOccupied(long index) {
        for (int distance = 0; distance < COUNT; ) {
            int slot = slot(index + distance);
            long word = occupied[slot / Long.SIZE] >>> slot;
            if (word != 0) {
                return index + distance + Long.numberOfTrailingZeros(word);
            }
            distance += Long.SIZE - slot % Long.SIZE;
        }
        // Only the slots before the start that share its word are left.
        return index + COUNT - slot(index) % Long.SIZE + Long.numberOfTrailingZeros(occupied[slot(index) / Long.SIZE]);
    }

    private static int slot(long index) {
        return (int) index & (COUNT - 1);
    }
}
