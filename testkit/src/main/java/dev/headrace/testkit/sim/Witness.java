package dev.headrace.testkit.sim;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.testkit.sim.Violation.Rule;
import org.jspecify.annotations.Nullable;

/**
 * Notices what handlers and tasks throw. A loop survives that, as it must, and only ends the connection: without a witness a
 * rule that a handler found broken would look like a reset.
 *
 * <p>Thread: the simulation's.
 */
final class Witness {
    /** What a handler throws because the plan says so. */
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Planned() {
            super("planned", null, false, false);
        }
    }

    private final SimKernel kernel;
    private @Nullable Violation first;

    Witness(SimKernel kernel) {
        this.kernel = kernel;
    }

    /** The first rule that was found broken; null when none was. */
    @Nullable
    Violation first() {
        return first;
    }

    /** The same task, watched. */
    Runnable watching(Runnable task) {
        return () -> watch(task);
    }

    /** The same handler, watched. */
    ConnectionHandler watching(ConnectionHandler handler) {
        return new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                watch(() -> handler.opened(connection));
            }

            @Override
            public void received(Connection connection, Buffer data) {
                watch(() -> handler.received(connection, data));
            }

            @Override
            public void drained(Connection connection) {
                watch(() -> handler.drained(connection));
            }

            @Override
            public void inputEnded(Connection connection) {
                watch(() -> handler.inputEnded(connection));
            }

            @Override
            public void closed(Connection connection, @Nullable Throwable cause) {
                watch(() -> handler.closed(connection, cause));
            }
        };
    }

    private void watch(Runnable call) {
        try {
            call.run();
        } catch (Planned planned) {
            throw planned;
        } catch (Violation broken) {
            note(broken);
            throw broken;
        } catch (RuntimeException | Error thrown) {
            note(new Violation(Rule.THROWN, "in a handler or task: " + thrown, thrown));
            throw thrown;
        }
    }

    /** Keeps the first, and ends the run before its trace grows away from it. */
    private void note(Violation broken) {
        if (first == null) {
            first = broken;
            kernel.at(0, () -> {
                throw broken;
            });
        }
    }
}
