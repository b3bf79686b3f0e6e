/**
 * The kernel's and libc's interface as it is: memory by absolute address, and the annotations by which every constant
 * and layout names its C origin. No policy, no threads, no state; the values live in one package per operating system.
 */
@NullMarked
package dev.headrace.abi;

import org.jspecify.annotations.NullMarked;
