/** Tests of what the tests share. */
@NullMarked
package dev.headrace.testkit;

import org.jspecify.annotations.NullMarked;
