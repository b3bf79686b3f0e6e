package dev.headrace.engine;

import dev.headrace.abi.linux.Errno;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engine's log. Logging never throws: at the descriptor limit or out of memory, when a line is wanted most, the
 * logging framework itself may fail, and the loop must not die of that.
 *
 * <p>Thread: any. Owns: nothing.
 */
final class LoopLog {
    private static final System.Logger LOG = System.getLogger("dev.headrace.engine");

    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private LoopLog() {}

    /** Loads what a line needs, while there are descriptors to load classes with. */
    static void prepare() {
        Errno.describe(Errno.EMFILE);
        LOG.isLoggable(System.Logger.Level.WARNING);
    }

    /** Says what holds for the whole process, and says it once. */
    static void infoOnce(String message) {
        if (SAID.add(message)) {
            try {
                LOG.log(System.Logger.Level.INFO, message);
            } catch (Throwable lost) {
                // As below.
            }
        }
    }

    static void warn(String message) {
        try {
            LOG.log(System.Logger.Level.WARNING, message);
        } catch (Throwable lost) {
            // The line is lost; the service goes on.
        }
    }

    static void warn(String message, Throwable cause) {
        try {
            LOG.log(System.Logger.Level.WARNING, message, cause);
        } catch (Throwable lost) {
            // As above.
        }
    }

    static void error(String message, Throwable cause) {
        try {
            LOG.log(System.Logger.Level.ERROR, message, cause);
        } catch (Throwable lost) {
            // As above.
        }
    }
}
