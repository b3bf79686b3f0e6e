package dev.headrace.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Gives a command the time, after Ctrl-C, to end in order and print what it has. The runtime then ends the process with
 * status 130.
 *
 * <p>Thread: made and closed on the command's; the action runs on the runtime's ending one.
 */
final class Interruption implements AutoCloseable {
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;

    private Interruption(Runnable stop, Duration patience) {
        this.hook = new Thread(
                () -> {
                    stop.run();
                    awaitFinish(patience);
                },
                "interruption");
    }

    /** From now until it is closed, an interrupt runs {@code stop} and waits, so long, for the close. */
    static Interruption handledBy(Runnable stop, Duration patience) {
        Interruption interruption = new Interruption(stop, patience);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void awaitFinish(Duration patience) {
        try {
            finished.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // the process is ending already, and the hook has been let go
        }
    }
}
