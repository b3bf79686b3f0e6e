/**
 * Compares every constant, size, offset and field width of the abi packages with what the C headers, the running
 * kernel's type information and calls to the kernel say, and keeps the results for machines that have none of these.
 */
@NullMarked
package dev.headrace.abi.check;

import org.jspecify.annotations.NullMarked;
