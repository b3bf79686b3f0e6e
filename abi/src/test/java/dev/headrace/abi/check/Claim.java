package dev.headrace.abi.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One number that a class of constants or a layout claims, and how C would say it.
 *
 * @param key the class and constant, such as {@code IoUring.IORING_SETUP_CLAMP} or {@code IoUringSqe.FD width}
 * @param kind what the number is
 * @param name the macro or enumerator, or the C type of a layout
 * @param kernelName the type's name in the kernel's type information; null for constants and where there is none
 * @param member the member of the type, null for constants and sizes
 * @param word for a bit field the offset of its 64-bit word, else 0
 * @param expression the C expression that gives the number, empty for a bit field
 * @param headers the headers that the expression needs
 * @param value the number claimed
 * @param bits how many bits the Java constant has
 * @param since the first Linux release that has it, null if all that matter have
 * @param perArchitecture whether the number depends on the architecture
 */
record Claim(
        String key,
        Kind kind,
        String name,
        @Nullable String kernelName,
        @Nullable String member,
        int word,
        String expression,
        List<String> headers,
        long value,
        int bits,
        @Nullable String since,
        boolean perArchitecture) {

    enum Kind {
        CONSTANT,
        SIZE,
        OFFSET,
        WIDTH,
        BIT_FIELD
    }

    boolean isConstant() {
        return kind == Kind.CONSTANT;
    }

    /** Whether a number found in C is the claimed one. An int constant may stand for an unsigned 32-bit number. */
    boolean equalTo(long found) {
        return found == value || (bits == 32 && found == Integer.toUnsignedLong((int) value));
    }
}
