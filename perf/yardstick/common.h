/*
 * The C yardstick: one echo server, three ways to ask the kernel for it. It is the bar the Java engine is measured
 * against, so it is written to be fast first, correct always, and short enough to be reviewed by a rival.
 */
#ifndef YARDSTICK_COMMON_H
#define YARDSTICK_COMMON_H

#include <stddef.h>

/* How long accepting pauses after the process or the system ran out of descriptors or memory: retrying at once spins. */
#define ACCEPT_PAUSE_MILLIS 50

/* Prints the one line that tells the parent where we listen and with what, on stdout; from then on the process ends when
   its stdin does. */
void announce(int listener, const char *configuration);

/* Ends the process with status 1 after one line on stderr: what failed, why, and what to do about it. */
void refuse(const char *what, int error, const char *remedy) __attribute__((noreturn));

/* An accept error after which the listener must rest for ACCEPT_PAUSE_MILLIS. */
int accept_must_pause(int error);

void *allocate(size_t bytes);

/* Each serves until the process ends. */
void serve_epoll(int listener, int edge_triggered) __attribute__((noreturn));
void serve_io_uring(int listener) __attribute__((noreturn));

#endif
