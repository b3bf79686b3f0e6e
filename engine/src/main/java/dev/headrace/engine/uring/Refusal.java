package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Says why the kernel refused io_uring, and what would change that. EPERM looks the same for a sysctl and for a seccomp
 * filter, so both are read.
 *
 * <p>Thread: any; no state.
 */
final class Refusal {
    private static final Path DISABLED = Path.of("/proc/sys/kernel/io_uring_disabled");
    private static final Path STATUS = Path.of("/proc/self/status");

    private Refusal() {}

    static String explain(RingRefusedException refused) {
        return switch (refused.errno()) {
            case Errno.ENOSYS ->
                "this kernel has no io_uring, or a seccomp filter hides it (" + seccomp()
                        + "): Linux 5.19 or newer is needed [" + refused.getMessage() + "]";
            case Errno.EPERM, Errno.EACCES -> forbidden(refused);
            case Errno.ENOMEM ->
                "no locked memory left for a ring (RLIMIT_MEMLOCK): raise it (ulimit -l, LimitMEMLOCK) ["
                        + refused.getMessage() + "]";
            case Errno.EMFILE, Errno.ENFILE ->
                "no descriptor left for a ring: raise the limit (ulimit -n, LimitNOFILE) [" + refused.getMessage()
                        + "]";
            case Errno.EINVAL ->
                "this kernel's io_uring is too old: Linux 5.19 or newer is needed [" + refused.getMessage() + "]";
            default -> refused.getMessage() + "";
        };
    }

    private static String forbidden(RingRefusedException refused) {
        String disabled = read(DISABLED).orElse("0").strip();
        if (disabled.equals("2")) {
            return "switched off on this host: set the sysctl kernel.io_uring_disabled to 0 [" + refused.getMessage()
                    + "]";
        }
        if (disabled.equals("1")) {
            return "reserved to CAP_SYS_ADMIN and the group of the sysctl kernel.io_uring_group"
                    + " (kernel.io_uring_disabled is 1): join the group or set it to 0 [" + refused.getMessage() + "]";
        }
        return "forbidden by the sandbox (" + seccomp()
                + "): allow io_uring_setup, io_uring_enter and io_uring_register in its profile ["
                + refused.getMessage() + "]";
    }

    private static String seccomp() {
        String mode = read(STATUS)
                .flatMap(status -> status.lines()
                        .filter(line -> line.startsWith("Seccomp:"))
                        .map(line -> line.substring("Seccomp:".length()).strip())
                        .findFirst())
                .orElse("unknown");
        return switch (mode) {
            case "0" -> "seccomp is off for this process, so a security module or a tracer";
            case "2" -> "a seccomp filter is in force";
            default -> "seccomp mode " + mode;
        };
    }

    private static Optional<String> read(Path path) {
        try {
            return Optional.of(Files.readString(path));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
