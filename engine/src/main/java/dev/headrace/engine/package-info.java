/**
 * The engine: loops that move bytes between sockets and handlers, over whichever kernel interface this machine does
 * best with.
 *
 * <p>Start with {@link dev.headrace.engine.LoopGroup}.
 */
@NullMarked
package dev.headrace.engine;

import org.jspecify.annotations.NullMarked;
