/** Accepts on io_uring, data on epoll: the first step of a migration, with most of a service left as it is. */
@NullMarked
package dev.headrace.engine.hybrid;

import org.jspecify.annotations.NullMarked;
