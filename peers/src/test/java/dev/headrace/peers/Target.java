package dev.headrace.peers;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** A server under test: a rival, or the C yardstick in one of its modes. */
record Target(
        String name, List<String> command, Optional<String> notBuiltBecause, Optional<String> unavailableBecause) {
    private static final String EXPECTED = System.getenv().getOrDefault("HEADRACE_EXPECT_BACKENDS", "");

    static Target of(PeerKind kind) {
        List<String> command = ServerProcess.peer(kind.toString(), "127.0.0.1", "0");
        return new Target(kind.toString(), command, Optional.empty(), Optional.ofNullable(kind.unavailableBecause()));
    }

    /** Starts it; where it cannot run the test is skipped with the reason, or fails if this machine is expected to have it. */
    ServerProcess start() throws IOException, InterruptedException {
        if (notBuiltBecause.isPresent()) {
            throw skipped(notBuiltBecause.get());
        }
        if (unavailableBecause.isPresent()) {
            throw missing(unavailableBecause.get());
        }
        try {
            return ServerProcess.start(command);
        } catch (ServerProcess.Refused e) {
            if (e.reason().contains("io_uring_setup refused")) {
                throw missing(e.reason());
            }
            throw e;
        }
    }

    private AssertionError missing(String reason) {
        boolean expected = Arrays.stream(EXPECTED.split(",", -1))
                .map(String::strip)
                .anyMatch(backend -> !backend.isEmpty() && name.endsWith("-" + backend));
        if (expected) {
            return new AssertionError(name + " is expected here: " + reason);
        }
        return skipped(reason);
    }

    private AssertionError skipped(String reason) {
        System.out.println("skipped: " + name + ": " + reason);
        return Assumptions.<AssertionError>abort(name + ": " + reason);
    }

    @Override
    public String toString() {
        return name;
    }
}
