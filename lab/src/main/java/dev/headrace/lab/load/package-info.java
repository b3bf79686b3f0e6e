/** A load with the instruments that are read at the edges of a measurement, and what they show. */
@NullMarked
package dev.headrace.lab.load;

import org.jspecify.annotations.NullMarked;
