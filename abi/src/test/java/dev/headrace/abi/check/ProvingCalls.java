package dev.headrace.abi.check;

import dev.headrace.abi.linux.IoUringParams;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the running kernel: for flags that are macros, and so are not in its type information, and are too new for
 * the headers.
 */
final class ProvingCalls implements Source {
    private final Map<String, Proof> proofs = new TreeMap<>();

    private ProvingCalls(SystemCalls calls) {
        proofs.putAll(new SetupProofs(calls).byName());
        proofs.putAll(new EnterProofs(calls).byName());
        proofs.putAll(new RequestProofs(calls).byName());
        proofs.putAll(new BufferProofs(calls).byName());
    }

    /** The proofs, or null where the kernel gives this process no ring to try them on. */
    static @Nullable ProvingCalls open() {
        SystemCalls calls = new SystemCalls();
        try (Arena arena = Arena.ofConfined()) {
            int fd = calls.ioUringSetup(1, arena.allocate(IoUringParams.SIZE, 8).address());
            if (fd < 0) {
                return null;
            }
            calls.close(fd);
            return new ProvingCalls(calls);
        }
    }

    Map<String, Proof> proofs() {
        return proofs;
    }

    @Override
    public String name() {
        return "proving call";
    }

    @Override
    public Answer answer(Claim claim) {
        Proof proof = claim.isConstant() ? proofs.get(claim.name()) : null;
        if (proof == null) {
            return Answer.UNKNOWN;
        }
        if (proof.holds(claim.value())) {
            return Answer.CONFIRMED;
        }
        String since = claim.since();
        boolean tooOld = since != null && KernelRelease.running().compareTo(KernelRelease.of(since)) < 0;
        return tooOld ? Answer.UNKNOWN : Answer.refuted("the kernel does not answer as it would to this value");
    }
}
