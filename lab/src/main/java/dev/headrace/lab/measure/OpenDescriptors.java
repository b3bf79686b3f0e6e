package dev.headrace.lab.measure;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * Reads which descriptors a process has open, from {@code /proc/PID/fd}.
 *
 * <p>Thread: any; no state.
 */
public final class OpenDescriptors {
    private OpenDescriptors() {}

    /** The highest number; empty when the process is gone or somebody else's. */
    public static OptionalInt highestOf(long pid) {
        int highest = -1;
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                highest = Math.max(highest, Integer.parseInt(String.valueOf(descriptor.getFileName())));
            }
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            return OptionalInt.empty();
        }
        return highest < 0 ? OptionalInt.empty() : OptionalInt.of(highest);
    }
}
