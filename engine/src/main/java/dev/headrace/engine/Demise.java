package dev.headrace.engine;

import java.util.concurrent.TimeUnit;

/**
 * The end of a loop that has died of a mistake: every tenant is told, every descriptor closed, and what the kernel may still
 * write to stays mapped.
 *
 * <p>First in order, with a few more turns, since most mistakes concern one tenant; by force when that fails too.
 *
 * <p>Thread: the loop's. Owns: nothing.
 */
final class Demise {
    private static final int FAILURES_MAX = 8;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Loop loop;
    private final Throwable cause;
    private int failures;

    Demise(Loop loop, Throwable cause) {
        this.loop = loop;
        this.cause = cause;
    }

    /** Ends all tenants; whether the driver has nothing left in flight. */
    boolean endTenants() {
        long fromNanos = loop.clock().nanoTime();
        attempt(() -> loop.tenants().endBecauseOf(cause));
        while (!loop.tenants().none() && failures < FAILURES_MAX && loop.clock().nanoTime() - fromNanos < LIMIT_NANOS) {
            attempt(loop::lastTurn);
        }
        return loop.tenants().none();
    }

    /** After the driver was closed: nobody waits for completions any more. */
    void abandonTenants() {
        attempt(() -> loop.tenants().abandonBecauseOf(cause));
    }

    /** A second mistake is no news. */
    void attempt(Runnable step) {
        try {
            step.run();
        } catch (Throwable again) {
            failures++;
            if (!again.equals(cause)) {
                cause.addSuppressed(again);
            }
        }
    }
}
