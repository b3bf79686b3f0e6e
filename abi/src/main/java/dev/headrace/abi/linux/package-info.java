/**
 * Linux: one class of constants per header in the kernel's spelling, one class of offsets and accessors per struct, and
 * the system calls. Each value is compared by a test with the C headers, with the running kernel's type information, or
 * with a call whose answer proves it.
 */
@NullMarked
package dev.headrace.abi.linux;

import org.jspecify.annotations.NullMarked;
