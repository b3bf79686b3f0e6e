package dev.headrace.engine;

import org.jspecify.annotations.Nullable;

/**
 * A task that a loop runs once its time has come.
 *
 * <p>Thread: the loop's. Owns: nothing.
 */
public final class Timer {
    final Runnable task;
    final long deadlineTick;
    /** Neighbours in the list of the slot. */
    @Nullable
    Timer previous;

    @Nullable
    Timer next;

    private @Nullable TimerSlots slots;
    private int slot;
    private final Thread owner;

    Timer(Thread owner, Runnable task, long deadlineTick) {
        this.owner = owner;
        this.task = task;
        this.deadlineTick = deadlineTick;
    }

    void place(TimerSlots where, int index) {
        slots = where;
        slot = index;
    }

    /** Whether the task has neither run nor been cancelled. */
    public boolean pending() {
        Loop.requireThread(owner);
        return slots != null;
    }

    /** Makes sure that the task does not run any more. */
    public void cancel() {
        Loop.requireThread(owner);
        if (slots != null) {
            slots.remove(this, slot);
            slots = null;
        }
    }
}
