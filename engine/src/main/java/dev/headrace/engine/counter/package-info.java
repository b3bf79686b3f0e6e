/** Counts that a loop keeps and anybody may read. */
@NullMarked
package dev.headrace.engine.counter;

import org.jspecify.annotations.NullMarked;
