package dev.headrace.engine;

import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;

/** Kills a loop as a mistake of the engine would: an owner of an operation throws when its record is dispatched. */
public final class Mishap implements OperationOwner {
    private static final int NO_DESCRIPTOR = -1;

    private final Loop loop;
    private final Error thrown;
    private final boolean again;
    private final Operation operation = new Operation(this);

    private Mishap(Loop loop, Error thrown, boolean again) {
        this.loop = loop;
        this.thrown = thrown;
        this.again = again;
    }

    /** Makes the loop die in its next turns. */
    public static void befall(Loop loop, Error thrown) {
        loop.execute(() -> new Mishap(loop, thrown, false).stage());
    }

    /** Makes the loop die, and throws so often while it ends that no end in order is possible. */
    public static void befallAgainAndAgain(Loop loop, Error thrown, int times) {
        loop.execute(() -> {
            for (int i = 0; i < times; i++) {
                new Mishap(loop, thrown, true).stage();
            }
        });
    }

    private void stage() {
        loop.driver().stage(operation.prepareShutdown(NO_DESCRIPTOR, 0));
    }

    @Override
    public void completed(Operation done, int result, boolean more, int bufferId) {
        if (again) {
            stage();
        }
        throw thrown;
    }
}
