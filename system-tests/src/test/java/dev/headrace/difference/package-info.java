/**
 * The same story on every backend: whoever plays it must see the same things happen. What differs is a mistake of one of
 * them, even where no rule says which.
 */
@NullMarked
package dev.headrace.difference;

import org.jspecify.annotations.NullMarked;
