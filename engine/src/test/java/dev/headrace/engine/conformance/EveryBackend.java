package dev.headrace.engine.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs once on each backend, which it takes as a parameter.
 *
 * <p>A backend that does not work here is skipped, with its reason; when {@code HEADRACE_EXPECT_BACKENDS} names it, the
 * test fails instead.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(BackendInvocations.class)
@Timeout(120)
@interface EveryBackend {}
