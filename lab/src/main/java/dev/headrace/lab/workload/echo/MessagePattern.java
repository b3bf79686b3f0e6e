package dev.headrace.lab.workload.echo;

import dev.headrace.engine.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Defines the bytes of every message, so that an answer can be checked without keeping what was sent.
 *
 * <p>A message is a row of 8-byte words in arithmetic progression. Where the progression starts depends on the
 * connection and on the number of the message, so an answer that belongs to another connection or another message is
 * found as surely as a wrong byte.
 *
 * <p>Thread: any; no state.
 */
final class MessagePattern {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder())
            .withInvokeExactBehavior();
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final long STEP = 0xD6E8_FEB8_6659_FD93L;

    private MessagePattern() {}

    /** The first word of a message. */
    static long seed(int connection, long sequence) {
        long mixed = (connection + 1L) * 0x9E37_79B9_7F4A_7C15L ^ sequence * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 32) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 29;
    }

    /** The size of an array that {@link #fill} can use for that many bytes from any place of a message. */
    static int arraySizeBytes(int count) {
        return (count + 2 * Long.BYTES) & -Long.BYTES;
    }

    /**
     * Writes the {@code count} bytes of a message from {@code from} on.
     *
     * @return the index in the array at which they begin
     */
    static int fill(byte[] to, long seed, int from, int count) {
        int skipped = from & 7;
        long word = seed + (from >>> 3) * STEP;
        int end = skipped + count;
        for (int i = 0; i < end; i += Long.BYTES) {
            WORD.set(to, i, word);
            word += STEP;
        }
        return skipped;
    }

    /** Whether {@code count} bytes of the data, from {@code index} on, are those of the message from {@code from} on. */
    static boolean matches(Buffer data, int index, int count, long seed, int from) {
        int done = 0;
        int unaligned = Math.min(count, -from & 7);
        while (done < unaligned) {
            if (data.get(index + done) != byteAt(seed, from + done)) {
                return false;
            }
            done++;
        }
        long word = seed + ((from + done) >>> 3) * STEP;
        while (count - done >= Long.BYTES) {
            if (data.getLong(index + done) != word) {
                return false;
            }
            word += STEP;
            done += Long.BYTES;
        }
        while (done < count) {
            if (data.get(index + done) != byteAt(seed, from + done)) {
                return false;
            }
            done++;
        }
        return true;
    }

    private static byte byteAt(long seed, int position) {
        long word = seed + (position >>> 3) * STEP;
        int place = position & 7;
        return (byte) (word >>> 8 * (LITTLE_ENDIAN ? place : 7 - place));
    }
}
