/**
 * What the engine promises, one class per behaviour, each run on every backend. The peers are plain sockets of the JDK,
 * so that the engine is judged by something other than itself.
 */
@NullMarked
package dev.headrace.conformance;

import org.jspecify.annotations.NullMarked;
