package dev.headrace.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the C headers that define the constants of a class, in the order in which they must be included. Every public
 * static final number of such a class carries the name of a macro or enumerator of these headers.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Header {
    /** The headers as they stand between the angle brackets of an include. */
    String[] value();
}
