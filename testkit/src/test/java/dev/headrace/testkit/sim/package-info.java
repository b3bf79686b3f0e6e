/** The engine in the simulated machine, and the simulated machine held against the running kernel. */
@NullMarked
package dev.headrace.testkit.sim;

import org.jspecify.annotations.NullMarked;
