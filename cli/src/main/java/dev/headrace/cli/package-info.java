/** The {@code headrace} command: what the user types, and how results look on a terminal, as JSON, or in a pipe. */
@NullMarked
package dev.headrace.cli;

import org.jspecify.annotations.NullMarked;
