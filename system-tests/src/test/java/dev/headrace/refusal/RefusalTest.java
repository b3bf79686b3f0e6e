package dev.headrace.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.Backend;
import dev.headrace.testkit.ChildJvm;
import dev.headrace.testkit.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same program, refused one kernel interface after another, runs on the next one and names the cause. */
@Fault(value = 26, backends = "io_uring")
class RefusalTest {
    private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m");
    private static final Path DISABLED = Path.of("/proc/sys/kernel/io_uring_disabled");
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");

    private static final String IO_URING = "io_uring_setup io_uring_enter io_uring_register";
    private static final String EPOLL = "epoll_create1 epoll_create";
    private static final String POLL = "poll ppoll";
    private static final String SELECT = "select pselect6";

    @BeforeAll
    static void ioUringIsThereToBeRefused() {
        String because = Backend.IO_URING.unavailableBecause();
        assumeTrue(because == null, because);
    }

    @ParameterizedTest
    @CsvSource({"EPERM, a tracer", "ENOSYS, a tracer"})
    void byATracer(String errno, String cause) throws IOException {
        assumeRuns("strace", "-qq", "-o", "/dev/null", "true");
        List<String> strace = List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "trace=io_uring_setup",
                "-e",
                "inject=io_uring_setup:error=" + errno);
        assertThat(echoUnder(strace, "epoll-lt")).contains("io_uring: ", cause, "io_uring_setup: " + errno);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.EPERM, Errno.ENOSYS})
    void byASeccompFilter(int errno) throws IOException {
        assertThat(echoUnder(List.of(), "epoll-lt", refusing(errno, IO_URING)))
                .contains("io_uring: ", "seccomp filter", "allow io_uring_setup", Errno.name(errno));
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring_setup", "io_uring_enter"})
    void byASeccompFilterOfOneCall(String call) throws IOException {
        assertThat(echoUnder(List.of(), "epoll-lt", refusing(Errno.EPERM, call)))
                .contains("io_uring: forbidden by a seccomp filter", call + ": EPERM");
    }

    /** Without io_uring_register there are fewer rungs, and still a ring. */
    @Test
    void byASeccompFilterOfRegistrations() throws IOException {
        assertThat(echoUnder(List.of(), null, refusing(Errno.EPERM, "io_uring_register")))
                .startsWith("io_uring ");
    }

    @Fault(
            value = 26,
            backends = {"io_uring", "epoll-lt"})
    @Test
    void epollToo() throws IOException {
        assertThat(echoUnder(List.of(), "poll", refusing(Errno.EPERM, IO_URING, EPOLL)))
                .contains("io_uring: ", "seccomp filter", "epoll-lt: ", "epoll_create1", "EPERM");
    }

    @Fault(
            value = 26,
            backends = {"io_uring", "epoll-lt", "poll"})
    @Test
    void pollToo() throws IOException {
        assertThat(echoUnder(List.of(), "select", refusing(Errno.EPERM, IO_URING, EPOLL, POLL)))
                .contains("io_uring: ", "epoll-lt: ", "poll: ", "EPERM");
    }

    @Fault(value = 26, backends = Fault.EVERY)
    @Test
    void everything() throws IOException {
        try (ChildJvm child =
                ChildJvm.start(RefusedEcho.class, JVM_OPTIONS, refusing(Errno.EPERM, IO_URING, EPOLL, POLL, SELECT))) {
            assertThat(child.answer("none"))
                    .contains("no backend works here", "io_uring: ", "epoll-lt: ", "poll: ", "select: ");
            assertThat(child.exitCode()).isZero();
        }
    }

    /**
     * Linux 5.12 charges rings to the memory of the control group, and again to the user's locked memory from 6.14 on, so
     * both answers are right; where it is refused the cause is named.
     */
    @Fault(value = 25, backends = "io_uring")
    @ParameterizedTest
    @ValueSource(ints = {0, 48 << 10, 64 << 10, 96 << 10, 128 << 10, 1 << 20})
    void byTheLimitOfLockedMemory(int bytes) throws IOException {
        List<String> prefix = new ArrayList<>(new SystemCalls().geteuid() == 0 ? AS_NOBODY : List.of());
        prefix.addAll(List.of("prlimit", "--memlock=" + bytes + ":" + bytes));
        List<String> probe = new ArrayList<>(prefix);
        probe.addAll(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version"));
        assumeRuns(probe.toArray(String[]::new));
        String reason = echoUnder(prefix, null);
        if (!reason.startsWith(Backend.IO_URING.id())) {
            assertThat(reason)
                    .startsWith("epoll-lt ")
                    .contains("io_uring: ", "locked memory", "RLIMIT_MEMLOCK", "ENOMEM");
        }
    }

    /** The setting is the whole machine's, so it is only shown to the child: a file in its place, the refusal by a tracer. */
    @ParameterizedTest
    @CsvSource({"1, kernel.io_uring_group", "2, switched off on this host"})
    void byTheSysctl(String value, String cause) throws IOException {
        assumeTrue(Files.exists(DISABLED), "this kernel has no sysctl kernel.io_uring_disabled (Linux 6.6)");
        assumeRuns("unshare", "--mount", "true");
        Path shown = Files.createTempFile("io_uring_disabled", "");
        try {
            Files.writeString(shown, value + "\n");
            String script = "mount --bind " + shown + " " + DISABLED + " && exec \"$@\"";
            List<String> prefix = List.of("unshare", "--mount", "sh", "-c", script, "sh");
            assertThat(echoUnder(prefix, "epoll-lt", refusing(Errno.EPERM, IO_URING)))
                    .contains("io_uring: ", cause, "kernel.io_uring_disabled", "EPERM");
        } finally {
            Files.delete(shown);
        }
    }

    /** Runs the program, has bytes echoed, and gives what it says about its choice; null expects no certain one. */
    private static String echoUnder(List<String> prefix, @Nullable String backend, String... arguments)
            throws IOException {
        try (ChildJvm child = ChildJvm.startUnder(prefix, RefusedEcho.class, JVM_OPTIONS, arguments)) {
            String choice = child.answer("chose");
            System.out.println("refusal: " + choice);
            assertThat(choice).startsWith(backend == null ? "" : backend + " fallback: ");
            echo(Integer.parseInt(child.answer("listening")));
            child.tell("end");
            assertThat(child.exitCode()).isZero();
            return choice;
        }
    }

    private static void echo(int port) throws IOException {
        byte[] message = new byte[100_000];
        new SplittableRandom(1).nextBytes(message);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(15_000);
            socket.getOutputStream().write(message);
            assertThat(socket.getInputStream().readNBytes(message.length)).isEqualTo(message);
        }
    }

    private static String[] refusing(int errno, String... interfaces) {
        return (errno + " " + String.join(" ", interfaces)).split(" ", -1);
    }

    private static void assumeRuns(String... command) throws IOException {
        String skipped = String.join(" ", command) + " does not run here";
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assumeTrue(process.waitFor(15, TimeUnit.SECONDS) && process.exitValue() == 0, skipped);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (IOException e) {
            assumeTrue(false, skipped + ": " + e.getMessage());
        }
    }
}
