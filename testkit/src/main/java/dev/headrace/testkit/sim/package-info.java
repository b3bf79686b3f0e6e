/**
 * A simulated machine: kernel, network and clock, in which the production drivers, the loop and its connections run on one
 * thread and in virtual time, and everything that may go wrong does so as a seed decides.
 */
@NullMarked
package dev.headrace.testkit.sim;

import org.jspecify.annotations.NullMarked;
