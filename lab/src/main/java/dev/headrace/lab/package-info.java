/**
 * What the laboratory's rooms share. The rooms: {@code workload} (servers and load generators), {@code measure} (what is
 * read from the kernel), {@code statistics} (numbers out of rounds), {@code race} (processes, rounds, records,
 * verdicts). None of them knows a terminal.
 */
@NullMarked
package dev.headrace.lab;

import org.jspecify.annotations.NullMarked;
