/**
 * The rivals: echo servers on the JDK's own network interfaces and on Netty, each run as a process of its own so that a
 * comparison measures it alone. They know nothing of the engine, and each is configured the way its documentation
 * recommends for small messages; the configuration is printed when the server is ready.
 */
@NullMarked
package dev.headrace.peers;

import org.jspecify.annotations.NullMarked;
