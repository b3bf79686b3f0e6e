package dev.headrace.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs on each backend, and on each with every rung of its ladder masked in turn. It takes its
 * {@link Setting} as a parameter.
 *
 * <p>A backend that does not work here is skipped, with its reason; when {@code HEADRACE_EXPECT_BACKENDS} names it, the
 * test fails instead.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(BackendInvocations.class)
@Timeout(120)
public @interface EveryBackend {
    /** Stands for each rung there is. */
    String EACH = "each rung";

    /** The rungs that are masked, one at a time and all together; none leaves the test to the backends as they are. */
    String[] masks() default EACH;

    /** Why the other rungs need not be masked; asked for where {@link #masks} leaves some out. */
    String because() default "";
}
