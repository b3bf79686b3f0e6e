package dev.headrace.lab.measure;

import dev.headrace.lab.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds the number under which this kernel knows the tracepoint of system call entry.
 *
 * <p>Thread: any; no state.
 */
public final class Tracepoint {
    private static final String ID = "events/raw_syscalls/sys_enter/id";
    private static final List<Path> MOUNTS =
            List.of(Path.of("/sys/kernel/tracing"), Path.of("/sys/kernel/debug/tracing"));
    private static final long CHILD_SECONDS_MAX = 5;

    private Tracepoint() {}

    /**
     * The number of {@code raw_syscalls:sys_enter}. Where tracefs is not mounted, a child process mounts it in a mount
     * namespace of its own, which goes with the child: the host stays as it was.
     *
     * @throws Refusal when it cannot be read; the message says why
     */
    public static long systemCallEntry() {
        for (Path mount : MOUNTS) {
            Path id = mount.resolve(ID);
            if (Files.isReadable(id)) {
                try {
                    return parse(Files.readString(id, StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw refusal(String.valueOf(e.getMessage()));
                }
            }
        }
        return inOwnNamespace();
    }

    private static long inOwnNamespace() {
        String mount = MOUNTS.getFirst().toString();
        String script = "mount -t tracefs tracefs " + mount + " && cat " + mount + "/" + ID;
        try {
            Process child = new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                    .redirectErrorStream(true)
                    .start();
            child.getOutputStream().close();
            if (!child.waitFor(CHILD_SECONDS_MAX, TimeUnit.SECONDS)) {
                child.destroyForcibly();
                throw refusal("mounting tracefs took too long");
            }
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (child.exitValue() != 0) {
                throw refusal("tracefs is not mounted, and "
                        + said.lines().findFirst().orElse("mounting it failed"));
            }
            return parse(said);
        } catch (IOException e) {
            throw refusal("tracefs is not mounted, and unshare(1) cannot be run");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusal("interrupted");
        }
    }

    private static long parse(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw refusal("tracefs answered '" + text.strip() + "'");
        }
    }

    private static Refusal refusal(String why) {
        return new Refusal("system calls cannot be counted: " + why);
    }
}
