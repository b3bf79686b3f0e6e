package dev.headrace.engine;

import java.util.concurrent.atomic.AtomicLong;

/** Hands out numbers for connections, unique within the process. Thread: any. */
final class ConnectionIds {
    private final AtomicLong last = new AtomicLong();

    long next() {
        return last.incrementAndGet();
    }
}
