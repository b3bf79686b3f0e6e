package dev.headrace.lab.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Carries histograms of latencies between processes as text, and joins them.
 *
 * <p>Thread: any; no state.
 */
public final class Latencies {
    private static final int DIGITS = 3;
    private static final long LOWEST_MAX_NANOS = 2;

    private Latencies() {}

    /** The histogram in the library's compressed form, base 64. */
    public static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    /** One histogram of all that was recorded in any of the windows. */
    public static Histogram merge(Collection<Window> windows) {
        Histogram all = new Histogram(DIGITS);
        for (Window window : windows) {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(window.latency()));
            try {
                all.add(Histogram.decodeFromCompressedByteBuffer(bytes, LOWEST_MAX_NANOS));
            } catch (DataFormatException e) {
                throw new IllegalArgumentException("the latencies of a window cannot be read", e);
            }
        }
        return all;
    }
}
