package dev.headrace.testkit.sim;

import java.util.PriorityQueue;

/**
 * What will happen, by virtual time; what is due at the same time happens in the order in which it was planned.
 *
 * <p>Thread: the simulation's.
 */
final class Agenda {
    private record Event(long atNanos, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNanos != other.atNanos ? Long.compare(atNanos, other.atNanos) : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNanos;
    private long planned;
    private long carriedOut;

    long nowNanos() {
        return nowNanos;
    }

    long carriedOut() {
        return carriedOut;
    }

    void at(long delayNanos, Runnable action) {
        events.add(new Event(nowNanos + delayNanos, planned++, action));
    }

    /** The time of the next event; {@link Long#MAX_VALUE} when there is none. */
    long nextNanos() {
        Event next = events.peek();
        return next == null ? Long.MAX_VALUE : next.atNanos;
    }

    /** Carries out everything that is due up to that time, which it then is. */
    void advanceTo(long nanos) {
        while (nextNanos() <= nanos) {
            carryOutNext();
        }
        nowNanos = Math.max(nowNanos, nanos);
    }

    /** Moves on to the next event and carries it out. */
    void carryOutNext() {
        Event next = events.remove();
        nowNanos = Math.max(nowNanos, next.atNanos);
        carriedOut++;
        next.action.run();
    }
}
