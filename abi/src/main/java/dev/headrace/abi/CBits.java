package dev.headrace.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the C bit field that a mask covers, for structs that declare bit fields in a 64-bit word.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface CBits {
    /** The bit field, such as {@code disabled}. */
    String value();

    /** The constant of the same class that holds the offset of the 64-bit word with the bit field. */
    String word();
}
