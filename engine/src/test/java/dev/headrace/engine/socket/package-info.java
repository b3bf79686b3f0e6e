/** Tests of the package, from within. */
@NullMarked
package dev.headrace.engine.socket;

import org.jspecify.annotations.NullMarked;
