/** Faults of the table that no other test makes, on every backend. */
@NullMarked
package dev.headrace.fault;

import org.jspecify.annotations.NullMarked;
