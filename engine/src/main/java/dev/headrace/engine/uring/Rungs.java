package dev.headrace.engine.uring;

import dev.headrace.engine.driver.Capabilities;

/**
 * What of io_uring's optional features a ring is built with.
 *
 * @param setupFlags flags for {@code io_uring_setup}, without those that size the queues
 * @param bufferRing slices are offered to the kernel through a ring in shared memory (5.19)
 * @param multishotAccept one request accepts many connections (5.19)
 * @param multishotReceive one request receives many times (6.0)
 * @param skippedCompletions a send that succeeds gives no completion (5.17)
 * @param registeredRing the ring is entered by a registered index, without a look-up of its descriptor (5.18)
 * @param noIowait a waiting ring is idle, not waiting for a disk, in the kernel's accounts (6.15)
 * @param restricted the ring refuses what the engine never asks for (5.10)
 * @param capabilities the same in words, with reasons
 */
public record Rungs(
        int setupFlags,
        boolean bufferRing,
        boolean multishotAccept,
        boolean multishotReceive,
        boolean skippedCompletions,
        boolean registeredRing,
        boolean noIowait,
        boolean restricted,
        Capabilities capabilities) {}
