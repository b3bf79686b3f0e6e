/**
 * The race: servers as processes of their own, a load process beside them, interleaved rounds, and what follows from
 * them in figures and in words. Nothing here knows a terminal.
 */
@NullMarked
package dev.headrace.lab.race;

import org.jspecify.annotations.NullMarked;
