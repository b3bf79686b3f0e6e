/** The echo workload: a server that returns what it receives, and a closed-loop load that checks every byte of it. */
@NullMarked
package dev.headrace.lab.workload.echo;

import org.jspecify.annotations.NullMarked;
