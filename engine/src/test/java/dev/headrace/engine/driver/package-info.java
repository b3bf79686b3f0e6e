/** Tests of the package, from within. */
@NullMarked
package dev.headrace.engine.driver;

import org.jspecify.annotations.NullMarked;
