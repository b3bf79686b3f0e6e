package dev.headrace.engine.readiness;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Interrupts the system calls of the thread that made this, with a signal that the JVM handles by ignoring it. */
final class Signals {
    private static final int SIGPIPE = 13;

    private final int process = (int) ProcessHandle.current().pid();
    private final int target;
    private final MethodHandle tgkill;
    private volatile boolean stopped;
    private final Thread thread = Thread.ofPlatform().unstarted(this::interrupt);

    @SuppressWarnings("restricted") // calls the C library
    Signals(SystemCalls calls) {
        target = calls.gettid();
        Linker linker = Linker.nativeLinker();
        tgkill = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("tgkill"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    }

    void startToInterrupt() {
        thread.start();
    }

    /** Sends one signal after the other, for the first may come before the call that it is to interrupt. */
    private void interrupt() {
        while (!stopped) {
            try {
                Thread.sleep(20);
                int result = (int) tgkill.invokeExact(process, target, SIGPIPE);
                assert result == 0 : "tgkill fails";
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
    }
}
