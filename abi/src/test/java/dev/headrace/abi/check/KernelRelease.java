package dev.headrace.abi.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Linux release by its first two numbers, such as 6.18. */
record KernelRelease(int major, int minor) implements Comparable<KernelRelease> {

    static KernelRelease of(String text) {
        String[] numbers = text.strip().split("[^0-9]+", -1);
        return new KernelRelease(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }

    static KernelRelease running() {
        try {
            return of(Files.readString(Path.of("/proc/sys/kernel/osrelease")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int compareTo(KernelRelease other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }
}
