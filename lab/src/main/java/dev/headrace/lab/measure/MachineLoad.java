package dev.headrace.lab.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads how long some cores have been busy, for whomever, from {@code /proc/stat}. What is left after taking off the
 * processes under measurement is the work of strangers.
 *
 * <p>Thread: any.
 */
public final class MachineLoad {
    private static final Path STAT = Path.of("/proc/stat");
    /** Ticks of this file are hundredths of a second on every architecture we know (USER_HZ). */
    private static final long TICK_NANOS = 10_000_000L;
    /**
     * The columns that are work: user, nice, system, irq, softirq, steal. Left out are idle and iowait, and the guest
     * columns, which user contains already.
     */
    private static final int[] BUSY_COLUMNS = {1, 2, 3, 6, 7, 8};

    /** The same without interrupts, for kernels that keep their time apart from that of the process they interrupt. */
    private static final int[] BUSY_COLUMNS_WITHOUT_INTERRUPTS = {1, 2, 3, 8};

    private final Set<String> lines;
    private final int[] columns;

    /** Watches the cores with those numbers. */
    public MachineLoad(List<Integer> cores) {
        this.lines = cores.stream().map(core -> "cpu" + core).collect(Collectors.toUnmodifiableSet());
        this.columns = KernelConfig.interruptTimeIsApart() ? BUSY_COLUMNS_WITHOUT_INTERRUPTS : BUSY_COLUMNS;
    }

    /** The time the cores have been busy since boot, added up. */
    public long busyNanos() {
        try {
            return parse(Files.readAllLines(STAT, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return 0;
        }
    }

    long parse(List<String> stat) {
        long ticks = 0;
        for (String line : stat) {
            if (!line.startsWith("cpu")) {
                break; // the cores come first
            }
            String[] fields = line.split(" +", -1);
            if (lines.contains(fields[0])) {
                ticks += Arrays.stream(columns)
                        .filter(column -> column < fields.length)
                        .mapToLong(column -> Long.parseLong(fields[column]))
                        .sum();
            }
        }
        return ticks * TICK_NANOS;
    }
}
