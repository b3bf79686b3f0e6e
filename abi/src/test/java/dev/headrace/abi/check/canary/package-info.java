/** Classes with deliberately wrong constants and layouts, which the check must catch. */
@NullMarked
package dev.headrace.abi.check.canary;

import org.jspecify.annotations.NullMarked;
