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

    @Nullable
    Timer previous;

    @Nullable
    Timer next;

    private @Nullable TimerWheel wheel;

    Timer(Runnable task, long deadlineTick, TimerWheel wheel) {
        this.task = task;
        this.deadlineTick = deadlineTick;
        this.wheel = wheel;
    }

    /** Whether the task has neither run nor been cancelled. */
    public boolean pending() {
        return wheel != null;
    }

    /** Makes sure that the task does not run any more. */
    public void cancel() {
        if (wheel != null) {
            wheel.remove(this);
            wheel = null;
        }
    }

    /** Taken off the wheel to run. */
    void expired() {
        wheel = null;
    }
}
