/** The socket calls under drivers, listeners and connections, and the addresses they take. */
@NullMarked
package dev.headrace.engine.socket;

import org.jspecify.annotations.NullMarked;
