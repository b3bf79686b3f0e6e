package dev.headrace.abi.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.check.Source.Answer;
import dev.headrace.abi.linux.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every constant and layout of the abi against the headers, the kernel's type information, calls and the golden. */
class AbiCheckTest {
    private static final boolean WRITE = Boolean.getBoolean("abi.golden.write");
    private static final String CROSS_COMPILER = "aarch64-linux-gnu-gcc";
    private static final String EMULATOR = "qemu-aarch64";

    private static final List<Class<?>> CLASSES = Claims.classesBeside(SystemCalls.class);
    private static final List<String> missing = new ArrayList<>();
    private static AbiCheck host;

    @BeforeAll
    static void compareNative() throws IOException {
        List<Claim> claims = Claims.of(Architecture.CURRENT, CLASSES);
        host = new AbiCheck(title(Architecture.CURRENT), claims, sources(claims), Golden.of(Architecture.CURRENT));
        System.out.println(host.line());
        if (!missing.isEmpty()) {
            System.out.println("AbiCheck without " + String.join(", ", missing) + ": the golden answers instead");
        }
    }

    private static List<Source> sources(List<Claim> claims) throws IOException {
        List<Source> sources = new ArrayList<>();
        if (Headers.canRun("cc")) {
            sources.add(Headers.ask(claims, List.of("cc"), List.of()));
        } else {
            missing.add("a C compiler");
        }
        if (Files.isReadable(KernelTypes.FILE)) {
            sources.add(KernelTypes.read(KernelTypes.FILE));
        } else {
            missing.add("the kernel's type information");
        }
        ProvingCalls calls = ProvingCalls.open();
        if (calls != null) {
            sources.add(calls);
        } else {
            missing.add("io_uring");
        }
        return sources;
    }

    @Test
    void noSourceRefutesAnything() {
        assertEquals(List.of(), host.refuted());
    }

    @Test
    void nothingIsLeftUncompared() {
        assertEquals(List.of(), host.leftOver());
    }

    /** With all sources at hand the golden must not hide what none of them knows, unless the kernel is too old. */
    @Test
    void theGoldenAnswersOnlyWhereItMust() {
        assumeTrue(missing.isEmpty(), () -> "without " + missing);
        List<String> hidden = host.claims().stream()
                .filter(claim -> host.sourcesOf(claim).contains("golden"))
                .filter(claim -> !isNewerThanKernel(claim))
                .map(Claim::key)
                .toList();
        assertEquals(List.of(), hidden);
    }

    private static boolean isNewerThanKernel(Claim claim) {
        String since = claim.since();
        return since != null && KernelRelease.running().compareTo(KernelRelease.of(since)) < 0;
    }

    /**
     * aarch64 on another machine: its C library's headers, compiled and run. What they lack is the same on every
     * architecture, so the native check answers for it; never for numbers that depend on the architecture.
     */
    @Test
    void aarch64ByCrossCompiler() throws IOException {
        assumeTrue(Architecture.CURRENT == Architecture.X86_64, "the native check covers aarch64");
        assumeTrue(Headers.canRun(CROSS_COMPILER), CROSS_COMPILER + " is not installed");
        assumeTrue(Headers.canRun(EMULATOR), EMULATOR + " is not installed");
        List<Claim> claims = Claims.of(Architecture.AARCH64, CLASSES);
        Headers headers = Headers.ask(claims, List.of(CROSS_COMPILER, "-static"), List.of(EMULATOR));
        AbiCheck cross = new AbiCheck(title(Architecture.AARCH64), claims, List.of(headers), new SameNatively(host));
        System.out.println(cross.line());
        assertEquals(List.of(), cross.refuted());
        assertEquals(List.of(), cross.leftOver());
        if (WRITE) {
            Golden.write(Architecture.AARCH64, cross);
        }
    }

    private record SameNatively(AbiCheck check) implements Source {
        @Override
        public String name() {
            return title(Architecture.CURRENT) + " check";
        }

        @Override
        public Answer answer(Claim claim) {
            boolean same = !claim.perArchitecture() && !check.sourcesOf(claim).isEmpty();
            return same ? Answer.CONFIRMED : Answer.UNKNOWN;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"X86_64", "AARCH64"})
    void theGoldenAgreesWithJava(Architecture architecture) throws IOException {
        if (WRITE && architecture == Architecture.CURRENT) {
            assertTrue(host.refuted().isEmpty() && host.leftOver().isEmpty(), "only what was confirmed is kept");
            Golden.write(architecture, host);
        }
        assumeTrue(!WRITE, "the golden is being written");
        Map<String, Long> claimed = new TreeMap<>();
        Claims.of(architecture, CLASSES).forEach(claim -> claimed.put(claim.key(), claim.value()));
        assertEquals(lines(claimed), lines(Golden.of(architecture).numbers()));
    }

    private static String lines(Map<String, Long> numbers) {
        StringBuilder lines = new StringBuilder();
        numbers.forEach(
                (key, number) -> lines.append(key).append('=').append(number).append('\n'));
        return lines.toString();
    }

    @Test
    void everyProofIsOfAConstant() {
        ProvingCalls calls = ProvingCalls.open();
        assumeTrue(calls != null, "io_uring is refused");
        List<String> names = host.claims().stream()
                .filter(Claim::isConstant)
                .map(Claim::name)
                .toList();
        assertTrue(
                names.containsAll(calls.proofs().keySet()),
                () -> Arrays.toString(calls.proofs().keySet().toArray()));
    }

    private static String title(Architecture architecture) {
        return architecture == Architecture.X86_64 ? "x86-64" : "aarch64";
    }
}
