package dev.headrace.engine.driver;

import java.util.concurrent.locks.LockSupport;

/**
 * Monotonic time, and pauses in it.
 *
 * <p>Part of the seam to the machine; a simulated world has a clock of its own. Thread: any.
 */
public interface Clock {
    /** The machine's, {@link System#nanoTime}. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void pause(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    };

    /** Nanoseconds since some moment; never fewer than before, whatever becomes of the time of day. */
    long nanoTime();

    /** Lets the calling thread rest for about so long, or less. */
    void pause(long nanos);
}
