package dev.headrace.abi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the first Linux release that has the annotated constant or struct. On a class it holds for every constant that
 * does not say otherwise. It informs; whether a kernel really offers something is found by trying it, because
 * distributions back-port features and take others away.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface Since {
    /** The release, such as {@code 5.19}. */
    String value();
}
