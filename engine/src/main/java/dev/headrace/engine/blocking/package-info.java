/**
 * Connections for threads that wait: virtual threads read and write, while the loops stay on platform threads of their own.
 */
@NullMarked
package dev.headrace.engine.blocking;

import org.jspecify.annotations.NullMarked;
