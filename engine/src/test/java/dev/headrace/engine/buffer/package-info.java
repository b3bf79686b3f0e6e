/** Tests of the package, from within. */
@NullMarked
package dev.headrace.engine.buffer;

import org.jspecify.annotations.NullMarked;
