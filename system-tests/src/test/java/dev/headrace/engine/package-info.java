/** Tests of the package, from within. */
@NullMarked
package dev.headrace.engine;

import org.jspecify.annotations.NullMarked;
