package dev.headrace.testkit.sim;

import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;

/**
 * A thread that is not the loop's, for what other threads do to it. The simulation waits until it has done so, and a run stays
 * the same each time.
 *
 * <p>Thread: the simulation's. Owns: a daemon thread, until closed.
 */
final class Elsewhere implements AutoCloseable {
    private final SynchronousQueue<Runnable> tasks = new SynchronousQueue<>();
    private final SynchronousQueue<Result> results = new SynchronousQueue<>();
    private final Thread thread;

    private record Result(@Nullable Throwable thrown) {}

    Elsewhere() {
        thread = Thread.ofPlatform().daemon().name("elsewhere").start(this::work);
    }

    private void work() {
        try {
            while (true) {
                Runnable task = tasks.take();
                Throwable thrown = null;
                try {
                    task.run();
                } catch (Throwable t) {
                    thrown = t;
                }
                results.put(new Result(thrown));
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /** Has the task run there, and waits for its end. */
    void run(Runnable task) {
        try {
            tasks.put(task);
            Throwable thrown = results.take().thrown();
            if (thrown instanceof Violation violation) {
                throw violation;
            }
            if (thrown != null) {
                throw new AssertionError("on another thread", thrown);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
