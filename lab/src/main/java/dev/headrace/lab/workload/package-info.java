/** What all workloads share: the shape of a load and the errors it can meet. */
@NullMarked
package dev.headrace.lab.workload;

import org.jspecify.annotations.NullMarked;
