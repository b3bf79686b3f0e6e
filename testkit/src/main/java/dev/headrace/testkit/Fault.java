package dev.headrace.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Which faults a test makes, by their numbers in the table of faults. A method adds its own to those of its class.
 *
 * <p>How the test ends goes to {@code target/faults.tsv} of its module: a line per fault, backend and test. A test on
 * {@link EveryBackend} runs on backends that it is told of; every other one says here which it runs on.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FaultWatcher.class)
public @interface Fault {
    /** Stands for each backend there is: the test goes through them all itself. */
    String EVERY = "every backend";

    /** The highest number there is; the lowest is 1. */
    int LAST = 56;

    int[] value();

    /** The names of the backends, for a test that is not told of one; that of the method goes before that of the class. */
    String[] backends() default {};
}
