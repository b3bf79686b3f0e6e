/** Tests of the package, from within. */
@NullMarked
package dev.headrace.engine.uring;

import org.jspecify.annotations.NullMarked;
