/**
 * What is read from the kernel while others run: CPU time and system calls of a process, the load of the machine, its
 * description, its limits. Nothing here knows what is being measured for.
 */
@NullMarked
package dev.headrace.lab.measure;

import org.jspecify.annotations.NullMarked;
