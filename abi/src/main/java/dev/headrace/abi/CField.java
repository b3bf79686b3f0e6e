package dev.headrace.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the C members whose offset a constant holds; several where members of a union share it. A dot reaches into a
 * nested struct.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface CField {
    /** The members, such as {@code msg_flags} or {@code sq_off.head}. */
    String[] value();
}
