/** The engine under mixed traffic for a long time: what it holds of the machine reaches a plateau, and is given back. */
@NullMarked
package dev.headrace.soak;

import org.jspecify.annotations.NullMarked;
