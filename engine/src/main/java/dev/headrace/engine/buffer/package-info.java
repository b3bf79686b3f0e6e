/** The loop's memory: a slab cut into slices, leased out one at a time as buffers. */
@NullMarked
package dev.headrace.engine.buffer;

import org.jspecify.annotations.NullMarked;
