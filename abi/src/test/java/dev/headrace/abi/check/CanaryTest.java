package dev.headrace.abi.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.check.Source.Answer;
import dev.headrace.abi.check.canary.WithoutOrigin;
import dev.headrace.abi.check.canary.WrongAccessor;
import dev.headrace.abi.check.canary.WrongEnumerator;
import dev.headrace.abi.check.canary.WrongFlag;
import dev.headrace.abi.check.canary.WrongLayout;
import dev.headrace.abi.check.canary.WrongMacro;
import dev.headrace.abi.linux.IoUring;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check must catch what is wrong: by each source alone, and leave nothing unnoticed that no source knows. */
class CanaryTest {
    private static final Source NONE = new Source() {
        @Override
        public String name() {
            return "none";
        }

        @Override
        public Answer answer(Claim claim) {
            return Answer.UNKNOWN;
        }
    };

    private static final List<String> LAYOUT =
            List.of("WrongLayout.SIZE", "WrongLayout.TYPE width", "WrongLayout.CONFIG", "WrongLayout.DISABLED");

    private static List<Claim> claims(Class<?> type) {
        return Claims.of(Architecture.CURRENT, List.of(type));
    }

    /** The keys of the claims that a source refutes. */
    private static List<String> refutedBy(Source source, List<Claim> claims) {
        AbiCheck check = new AbiCheck("canary", claims, List.of(source), NONE);
        return check.refuted().stream()
                .map(line -> line.substring(0, line.indexOf(" = ")))
                .toList();
    }

    @Test
    void headersCatchAWrongConstantAndLayout() throws IOException {
        assumeTrue(Headers.canRun("cc"), "no C compiler");
        for (Map.Entry<Class<?>, List<String>> canary : Map.<Class<?>, List<String>>of(
                        WrongMacro.class, List.of("WrongMacro.EPOLLOUT"), WrongLayout.class, LAYOUT)
                .entrySet()) {
            List<Claim> claims = claims(canary.getKey());
            assertEquals(canary.getValue(), refutedBy(Headers.ask(claims, List.of("cc"), List.of()), claims));
        }
    }

    @Test
    void typeInformationCatchesAWrongConstantAndLayout() throws IOException {
        assumeTrue(Files.isReadable(KernelTypes.FILE), "no type information");
        KernelTypes types = KernelTypes.read(KernelTypes.FILE);
        assertEquals(List.of("WrongEnumerator.IORING_OP_SEND_ZC"), refutedBy(types, claims(WrongEnumerator.class)));
        assertEquals(LAYOUT, refutedBy(types, claims(WrongLayout.class)));
    }

    @Test
    void aProvingCallCatchesAWrongConstant() {
        ProvingCalls calls = ProvingCalls.open();
        assumeTrue(calls != null, "io_uring is refused");
        assumeTrue(KernelRelease.running().compareTo(new KernelRelease(6, 6)) >= 0, "the flags came with 6.5 and 6.6");
        assertEquals(List.of("WrongFlag.IORING_SETUP_NO_SQARRAY"), refutedBy(calls, claims(WrongFlag.class)));
    }

    /** Each proof by itself: it holds for no other bit, or shift, than the right one. */
    @Test
    void noProofHoldsForAnythingElse() throws ReflectiveOperationException {
        ProvingCalls calls = ProvingCalls.open();
        assumeTrue(calls != null, "io_uring is refused");
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Proof> proof : calls.proofs().entrySet()) {
            Number right = (Number) IoUring.class.getField(proof.getKey()).get(null);
            for (int bit = 0; bit < 32; bit++) {
                long value = proof.getKey().endsWith("_SHIFT") ? bit : 1L << bit;
                if (value != right.longValue() && proof.getValue().holds(value)) {
                    wrong.add(proof.getKey() + " holds for " + value);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void theGoldenCatchesAWrongNumber() throws IOException {
        Golden golden = Golden.of(Architecture.CURRENT);
        Claim right = Claims.of(Architecture.CURRENT, List.of(IoUring.class)).getFirst();
        Claim wrong = new Claim(
                right.key(),
                right.kind(),
                right.name(),
                null,
                null,
                0,
                right.expression(),
                right.headers(),
                right.value() + 1,
                right.bits(),
                right.since(),
                false);
        assertEquals(List.of(), refutedBy(golden, List.of(right)));
        assertEquals(List.of(right.key()), refutedBy(golden, List.of(wrong)));
    }

    @Test
    void whatNoSourceKnowsIsLeftOver() {
        AbiCheck check = new AbiCheck("canary", claims(WrongMacro.class), List.of(NONE), NONE);
        assertEquals(List.of("WrongMacro.EPOLLIN", "WrongMacro.EPOLLOUT"), check.leftOver());
        assertFalse(check.line().endsWith("left over 0"));
    }

    @Test
    void accessorsBesideTheirOffsetAreRefused() {
        assertThrows(IllegalStateException.class, () -> claims(WrongAccessor.class));
    }

    @Test
    void numbersWithoutOriginAreRefused() {
        assertThrows(IllegalStateException.class, () -> claims(WithoutOrigin.class));
    }
}
