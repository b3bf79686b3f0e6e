/** Backends that tell when a descriptor is ready: one driver, and a poller for each kernel interface. */
@NullMarked
package dev.headrace.engine.readiness;

import org.jspecify.annotations.NullMarked;
