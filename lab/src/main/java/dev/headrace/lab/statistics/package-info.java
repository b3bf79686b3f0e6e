/** Numbers out of rounds: medians, paired ratios, bootstrap intervals, and how small a difference could have been seen. */
@NullMarked
package dev.headrace.lab.statistics;

import org.jspecify.annotations.NullMarked;
