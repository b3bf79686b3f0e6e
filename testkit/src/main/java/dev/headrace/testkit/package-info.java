/**
 * What tests of the engine stand on: each backend in turn, peers that are not ours, and worlds that misbehave on purpose.
 */
@NullMarked
package dev.headrace.testkit;

import org.jspecify.annotations.NullMarked;
