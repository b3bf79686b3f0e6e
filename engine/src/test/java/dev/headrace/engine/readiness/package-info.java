/** Tests of the package, from within. */
@NullMarked
package dev.headrace.engine.readiness;

import org.jspecify.annotations.NullMarked;
