/** What the engine does where the kernel, or who guards it, refuses its interfaces: each case in a process of its own. */
@NullMarked
package dev.headrace.refusal;

import org.jspecify.annotations.NullMarked;
