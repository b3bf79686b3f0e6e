package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same errno has different causes: what the proc file system shows decides which one is named. */
class RefusalTest {
    private static final String NOTHING = "Seccomp: 0, TracerPid: 0";

    @TempDir
    Path proc;

    private void shows(String file, String content) throws IOException {
        Path path = proc.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private void status(String fields) throws IOException {
        shows("self/status", "Name:\tjava\n" + fields.replace(": ", ":\t").replace(", ", "\n") + "\nThreads:\t9\n");
    }

    private String cause(int errno) {
        String cause = new Refusal(proc).causeOf(new RingRefusedException("io_uring_setup", errno));
        assertThat(cause).doesNotContain("\n").endsWith(" [io_uring_setup: " + Errno.describe(errno) + "]");
        return cause;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | Seccomp: 2, TracerPid: 0  | switched off on this host",
                "1 | Seccomp: 0, TracerPid: 0  | kernel.io_uring_group",
                "0 | Seccomp: 2, TracerPid: 0  | forbidden by a seccomp filter: allow io_uring_setup",
                "0 | Seccomp: 2, TracerPid: 71 | forbidden by a seccomp filter: allow io_uring_setup",
                "0 | Seccomp: 0, TracerPid: 71 | forbidden by a tracer (process 71)",
                "0 | Seccomp: 0, TracerPid: 0  | forbidden by a security module",
                "x | TracerPid:                | forbidden by a security module",
            })
    void aPermissionDenied(String disabled, String status, String cause) throws IOException {
        shows("sys/kernel/io_uring_disabled", disabled + "\n");
        status(status);
        assertThat(cause(Errno.EPERM)).contains(cause);
        assertThat(cause(Errno.EACCES)).contains(cause);
    }

    @Test
    void anUnknownCall() throws IOException {
        shows("sys/kernel/osrelease", "4.19.0-27\n");
        status(NOTHING);
        assertThat(cause(Errno.ENOSYS)).startsWith("this kernel has no io_uring (4.19.0-27): Linux 5.19");
        status("Seccomp: 2, TracerPid: 0");
        assertThat(cause(Errno.ENOSYS))
                .startsWith("hidden by a seccomp filter, or not in this kernel (4.19.0-27): allow");
        status("Seccomp: 0, TracerPid: 71");
        assertThat(cause(Errno.ENOSYS)).startsWith("hidden by a tracer (process 71), or not in this kernel");
    }

    @Test
    void anOldKernel() throws IOException {
        shows("sys/kernel/osrelease", "5.10.0-33-amd64\n");
        assertThat(cause(Errno.EINVAL))
                .startsWith("this kernel's io_uring is too old (5.10.0-33-amd64): Linux 5.19 or newer is needed");
    }

    @ParameterizedTest
    @CsvSource({"0, is 0 bytes", "65536, is 65536 bytes", "unlimited, is unlimited"})
    void noLockedMemory(String limit, String words) throws IOException {
        shows(
                "self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max locked memory         " + limit + "   8388608              bytes\n");
        assertThat(cause(Errno.ENOMEM)).contains("RLIMIT_MEMLOCK " + words + ",", "ulimit -l");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "Max locked memory", "Max locked memory\n", "\u00ff\u00fe:"})
    void whatCannotBeReadIsLeftOut(String nonsense) throws IOException {
        assertThat(cause(Errno.EPERM)).contains("security module");
        for (String file : new String[] {"self/limits", "self/status", "sys/kernel/io_uring_disabled"}) {
            shows(file, nonsense);
        }
        assertThat(cause(Errno.ENOMEM)).contains("(RLIMIT_MEMLOCK, shared");
        assertThat(cause(Errno.EPERM)).contains("security module");
        assertThat(cause(Errno.ENOSYS)).startsWith("this kernel has no io_uring");
    }

    @Test
    void others() {
        assertThat(cause(Errno.EMFILE)).contains("ulimit -n");
        assertThat(cause(Errno.ETIMEDOUT)).startsWith("the kernel refused it [");
    }
}
