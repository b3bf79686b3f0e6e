package dev.headrace.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that other threads hand to a loop, and the protocol that wakes it: a loop about to wait says so, then looks once
 * more; a thread that adds a task does the same in the other order. One of the two always sees the other.
 *
 * <p>Thread: {@link #add} any; the rest the loop's. Owns: the queue.
 */
final class Inbox {
    private static final VarHandle SLEEPING;

    static {
        try {
            SLEEPING = MethodHandles.lookup().findVarHandle(Inbox.class, "sleeping", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("unused") // through SLEEPING
    private volatile boolean sleeping;

    private volatile boolean closed;

    /**
     * Adds a task; whether the loop has to be woken.
     *
     * @throws RejectedExecutionException when nobody would run it any more
     */
    boolean add(Runnable task) {
        tasks.add(task);
        // Either this sees the close, or the close came later and whoever closed sees the task.
        if (closed && tasks.remove(task)) {
            throw new RejectedExecutionException("the loop has ended");
        }
        // A full fence lies between the two: the queue's publication and this compare-and-set are both volatile.
        return (boolean) SLEEPING.getVolatile(this) && SLEEPING.compareAndSet(this, true, false);
    }

    /** No task is taken from here on; those that are there are to be polled once more. */
    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    @Nullable
    Runnable poll() {
        return tasks.poll();
    }

    /** Announces a wait; false when there is a task, and the wait must not be. */
    boolean fallAsleep() {
        SLEEPING.setVolatile(this, true);
        if (tasks.isEmpty()) {
            return true;
        }
        SLEEPING.setVolatile(this, false);
        return false;
    }

    void awake() {
        SLEEPING.setOpaque(this, false);
    }
}
