package dev.headrace.engine;

import dev.headrace.engine.buffer.BufferPool;
import java.util.ArrayDeque;

/**
 * Receives that found no buffer, first come first served. As many are armed again as there are buffers: arming all for
 * one buffer would make all but one fail at once.
 *
 * <p>Thread: the loop's. Owns: nothing.
 */
final class Starvation {
    private final BufferPool pool;
    private final ArrayDeque<Input> waiting = new ArrayDeque<>();

    Starvation(BufferPool pool) {
        this.pool = pool;
    }

    void add(Input input) {
        waiting.add(input);
    }

    void remove(Input input) {
        waiting.remove(input);
    }

    /** Arms as many as there are buffers. */
    void relieve() {
        if (waiting.isEmpty()) {
            return;
        }
        for (int i = Math.min(pool.receivable(), waiting.size()); i > 0; i--) {
            waiting.remove().feed();
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether the next turn can arm some. */
    boolean relievable() {
        return !waiting.isEmpty() && pool.receivable() > 0;
    }
}
