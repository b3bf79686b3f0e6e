package dev.headrace.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * What a descriptor stands for. It lives on when its number is closed, for as long as a request holds it: that is why the
 * peer of a socket closed too early sees no end.
 *
 * <p>Thread: the simulation's.
 */
abstract class SimFile {
    /** Somebody to tell when the file may have become ready. */
    interface Watcher {
        void woken(SimFile file);
    }

    private final List<Watcher> watchers = new ArrayList<>(2);
    private int holders = 1;
    boolean nonBlocking;

    /** The {@code poll(2)} events that hold now. */
    abstract int readiness();

    /** The last holder has let go. */
    abstract void released();

    final void hold() {
        holders++;
    }

    final int holders() {
        return holders;
    }

    final void letGo() {
        if (--holders == 0) {
            released();
        }
    }

    final boolean watched() {
        return !watchers.isEmpty();
    }

    final void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    final void unwatch(Watcher watcher) {
        watchers.remove(watcher);
    }

    /** Something has changed: whoever waits looks again. */
    final void wake() {
        for (Watcher watcher : List.copyOf(watchers)) {
            watcher.woken(this);
        }
    }
}
