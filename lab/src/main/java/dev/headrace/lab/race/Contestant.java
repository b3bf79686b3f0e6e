package dev.headrace.lab.race;

import java.util.List;
import java.util.Optional;

/**
 * A server that can take part in a race: its name and how to start it.
 *
 * <p>The command must serve on a port of its choice, print {@code listening on HOST:PORT | CONFIGURATION} as a line of
 * its standard output once it accepts connections, and end when its standard input ends.
 *
 * <p>Thread: any; immutable.
 *
 * @param name as in tables and records
 * @param kernelInterface what it is built on
 * @param ours whether it is the engine that is being judged
 * @param warmsUp whether it gets faster with time, as what is compiled while it runs does
 * @param maskedRung the rung that it runs without although the kernel has it, to show what that rung is worth; empty
 *     for a server that uses what it can
 * @param command program and arguments
 */
public record Contestant(
        String name,
        KernelInterface kernelInterface,
        boolean ours,
        boolean warmsUp,
        Optional<String> maskedRung,
        List<String> command) {
    public Contestant {
        command = List.copyOf(command);
    }

    /** A server that uses what it can. */
    public Contestant(
            String name, KernelInterface kernelInterface, boolean ours, boolean warmsUp, List<String> command) {
        this(name, kernelInterface, ours, warmsUp, Optional.empty(), command);
    }

    /** Whether it is ours and uses what it can. */
    boolean oursUnmasked() {
        return ours && maskedRung.isEmpty();
    }
}
