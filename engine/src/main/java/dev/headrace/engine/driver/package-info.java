/** The contract between a loop and the kernel: operations go in, completion records come out. */
@NullMarked
package dev.headrace.engine.driver;

import org.jspecify.annotations.NullMarked;
