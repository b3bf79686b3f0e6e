/** The io_uring backend: its own mapping of the queues, a ladder of optional features, and the driver. */
@NullMarked
package dev.headrace.engine.uring;

import org.jspecify.annotations.NullMarked;
