package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says why the kernel refused io_uring, and what would change that. The same errno comes of a sysctl, a seccomp filter, a
 * security module and a tracer, so the process's own status is read to tell them apart.
 *
 * <p>Thread: any; immutable.
 */
final class Refusal {
    private static final String NEEDED = "Linux 5.19 or newer is needed";
    private static final String PROFILE = "allow io_uring_setup, io_uring_enter and io_uring_register in its profile";

    private final Path proc;

    /**
     * Makes what explains refusals.
     *
     * @param proc where the proc file system is; what is not found there is left out of the explanation
     */
    Refusal(Path proc) {
        this.proc = proc;
    }

    static String explain(RingRefusedException refused) {
        return new Refusal(Path.of("/proc")).causeOf(refused);
    }

    /** Cause, remedy, and in brackets what the kernel said; on one line. */
    String causeOf(RingRefusedException refused) {
        String cause = switch (refused.errno()) {
            case Errno.ENOSYS -> absent();
            case Errno.EPERM, Errno.EACCES -> forbidden();
            case Errno.ENOMEM -> memory();
            case Errno.EMFILE, Errno.ENFILE ->
                "no descriptor left for a ring: raise the limit (ulimit -n, LimitNOFILE)";
            case Errno.EINVAL -> "this kernel's io_uring is too old" + release() + ": " + NEEDED;
            default -> "the kernel refused it";
        };
        return cause + " [" + refused.getMessage() + "]";
    }

    private String absent() {
        if (filtered()) {
            return "hidden by a seccomp filter, or not in this kernel" + release() + ": " + PROFILE + "; " + NEEDED;
        }
        String tracer = tracer();
        return tracer.isEmpty()
                ? "this kernel has no io_uring" + release() + ": " + NEEDED
                : "hidden by " + tracer + ", or not in this kernel" + release() + ": " + NEEDED;
    }

    private String forbidden() {
        String disabled = read("sys/kernel/io_uring_disabled").orElse("0");
        if (disabled.equals("2")) {
            return "switched off on this host: set the sysctl kernel.io_uring_disabled to 0";
        }
        if (disabled.equals("1")) {
            return "reserved to CAP_SYS_ADMIN and the group of the sysctl kernel.io_uring_group"
                    + " (kernel.io_uring_disabled is 1): join the group or set it to 0";
        }
        if (filtered()) {
            return "forbidden by a seccomp filter: " + PROFILE;
        }
        String tracer = tracer();
        return tracer.isEmpty()
                ? "forbidden by a security module, as no seccomp filter is in force: allow io_uring in its policy"
                : "forbidden by " + tracer + ", or by a security module";
    }

    /** Linux 5.12 stopped charging rings to the limit of locked memory, 6.14 does so again. */
    private String memory() {
        String limit = read("self/limits").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("Max locked memory"))
                .map(line -> line.split("\\s+", -1))
                .filter(words -> words.length > 3)
                .map(words -> " is " + words[3] + (words[3].equals("unlimited") ? "" : " bytes"))
                .findFirst()
                .orElse("");
        return "no locked memory left for a ring (RLIMIT_MEMLOCK" + limit
                + ", shared by all processes of the user): raise it (ulimit -l, LimitMEMLOCK)";
    }

    private boolean filtered() {
        return status("Seccomp").equals("2");
    }

    /** Who traces this process, and so may answer its system calls; empty when nobody does. */
    private String tracer() {
        String pid = status("TracerPid");
        return pid.isEmpty() || pid.equals("0") ? "" : "a tracer (process " + pid + ")";
    }

    private String release() {
        return read("sys/kernel/osrelease").map(release -> " (" + release + ")").orElse("");
    }

    /** A field of this process's status, empty when there is none. */
    private String status(String field) {
        return read("self/status").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    private Optional<String> read(String path) {
        try {
            // One byte a character: no content is malformed.
            return Optional.of(Files.readString(proc.resolve(path), StandardCharsets.ISO_8859_1)
                    .strip());
        } catch (IOException | SecurityException e) {
            return Optional.empty();
        }
    }
}
