package dev.headrace.engine;

import org.jspecify.annotations.Nullable;

/**
 * The timers of a loop: a wheel of slots of one millisecond, and one of slots of about a second for those further away,
 * which move over when their second begins. Adding and cancelling take constant time however many there are, and far
 * timers let the loop sleep.
 *
 * <p>A task runs at its time or up to a millisecond later, never earlier.
 *
 * <p>Thread: the loop's. Owns: its slots.
 */
final class TimerWheel {
    static final long TICK_NANOS = 1_000_000L;
    /** Ticks of a slot of the far wheel: as many as the near wheel has slots. */
    private static final int FAR_SHIFT = Integer.numberOfTrailingZeros(TimerSlots.COUNT);
    /** As good as never, and far from where sums overflow. */
    private static final long DELAY_NANOS_MAX = Long.MAX_VALUE / 4;

    private final TimerSlots near = new TimerSlots();
    private final TimerSlots far = new TimerSlots();
    private final Thread owner = Thread.currentThread();
    private final long originNanos;
    /** Every tick before this one has been served. */
    private long nextTick;

    /** On the thread that will serve it: the only one that may cancel its timers. */
    TimerWheel(long nowNanos) {
        this.originNanos = nowNanos;
    }

    Timer schedule(long nowNanos, long delayNanos, Runnable task) {
        long dueNanos = nowNanos - originNanos + Math.clamp(delayNanos, 0, DELAY_NANOS_MAX);
        Timer timer = new Timer(owner, task, Math.max(Math.ceilDiv(dueNanos, TICK_NANOS), nextTick));
        place(timer);
        return timer;
    }

    private void place(Timer timer) {
        if (timer.deadlineTick - nextTick < TimerSlots.COUNT) {
            near.add(timer, timer.deadlineTick);
        } else {
            far.add(timer, timer.deadlineTick >> FAR_SHIFT);
        }
    }

    /** Takes the next timer whose time has come off the wheel, or null when there is none yet. */
    @Nullable
    Timer expire(long nowNanos) {
        long now = (nowNanos - originNanos) / TICK_NANOS;
        if (near.isEmpty() && far.isEmpty()) {
            nextTick = Math.max(nextTick, now);
            return null;
        }
        while (nextTick <= now) {
            Timer timer = near.first(nextTick);
            if (timer != null) {
                assert timer.deadlineTick == nextTick;
                timer.cancel();
                return timer;
            }
            nextTick++;
            if ((nextTick & (TimerSlots.COUNT - 1)) == 0) {
                bringNear(nextTick >> FAR_SHIFT);
            }
        }
        return null;
    }

    /** A slot of the far wheel begins: its timers move over, but those of a later revolution. */
    private void bringNear(long index) {
        Timer timer = far.first(index);
        while (timer != null) {
            Timer following = timer.next;
            if (timer.deadlineTick >> FAR_SHIFT == index) {
                timer.cancel();
                near.add(timer, timer.deadlineTick);
            }
            timer = following;
        }
    }

    /** Nanoseconds until there may be something to do, not later than the next timer; negative when there is none. */
    long delayNanos(long nowNanos) {
        if (near.isEmpty() && far.isEmpty()) {
            return -1;
        }
        long tick = Long.MAX_VALUE;
        if (!near.isEmpty()) {
            tick = near.nextOccupied(nextTick);
        }
        if (!far.isEmpty()) {
            tick = Math.min(tick, far.nextOccupied((nextTick >> FAR_SHIFT) + 1) << FAR_SHIFT);
        }
        return Math.max(0, originNanos + tick * TICK_NANOS - nowNanos);
    }
}
