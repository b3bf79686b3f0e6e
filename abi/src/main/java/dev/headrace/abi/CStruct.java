package dev.headrace.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Ties a class of offsets and accessors to the C struct that it describes.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CStruct {
    /** The type as C code names it, such as {@code struct io_uring_sqe}. */
    String value();

    /** The headers that declare it, in the order in which they must be included. */
    String[] header();

    /**
     * The name in the kernel's own type information where it differs ({@code user_msghdr} for {@code struct msghdr}),
     * {@code "-"} if the kernel has no such struct, empty if the names are equal.
     */
    String kernel() default "";

    /**
     * A C expression for the size, for structs that grow with the kernel and are used in an older, shorter form. Empty
     * means {@code sizeof}.
     */
    String size() default "";
}
