package dev.headrace.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a constant whose value depends on the processor architecture and names the static method of the same class that
 * gives it for any {@link Architecture}. The constant itself is the value for {@link Architecture#CURRENT}, so that the
 * compiler can fold it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface PerArchitecture {
    /** The method, such as {@code size}. */
    String value();
}
