package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Poll;
import dev.headrace.engine.readiness.Poller;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pollers of the simulated machine. Epoll works as the kernel's does (fs/eventpoll.c): whoever wakes a watched file puts
 * it on the list of the ready, as does setting its interest; a wait asks each on the list for what holds now, drops those for
 * which nothing does, and puts those that are not edge-triggered back. The others look at every descriptor in each wait.
 *
 * <p>Thread: the simulation's. Owns: its list.
 */
final class SimPoller implements Poller, SimFile.Watcher {
    /** Which of the kernel's interfaces it stands for. */
    enum Kind {
        EPOLL_LT,
        EPOLL_ET,
        POLL,
        SELECT
    }

    private static final int EVENTS_MAX = 64;
    private static final int FD_SETSIZE = 1024;

    private static final class Watch {
        private final SimFile file;
        private int interest;
        private long token;

        Watch(SimFile file) {
            this.file = file;
        }
    }

    private record Event(long token, int events) {}

    private final SimKernel kernel;
    private final Kind kind;
    private final Map<Integer, Watch> watched = new HashMap<>();
    private final LinkedHashSet<Watch> ready = new LinkedHashSet<>();
    private final List<Event> told = new ArrayList<>();

    SimPoller(SimKernel kernel, Kind kind) {
        this.kernel = kernel;
        this.kind = kind;
    }

    @Override
    public int descriptorsMax() {
        return kind == Kind.SELECT ? FD_SETSIZE : Integer.MAX_VALUE;
    }

    @Override
    public boolean edgeTriggered() {
        return kind == Kind.EPOLL_ET;
    }

    private boolean epoll() {
        return kind == Kind.EPOLL_LT || kind == Kind.EPOLL_ET;
    }

    @Override
    public int watch(int fd, boolean registered, int interest, long token) {
        kernel.spend();
        @Nullable SimFile file = kernel.file(fd);
        if (file == null) {
            return -Errno.EBADF;
        }
        @Nullable Watch watch = watched.get(fd);
        if (epoll() && registered != (watch != null)) {
            return registered ? -Errno.ENOENT : -Errno.EEXIST;
        }
        if (watch == null) {
            watch = new Watch(file);
            watched.put(fd, watch);
            file.watch(this);
        }
        watch.interest = interest;
        watch.token = token;
        if (events(watch) != 0) {
            ready.add(watch);
        }
        return 0;
    }

    @Override
    public int forget(int fd) {
        kernel.spend();
        @Nullable Watch watch = watched.remove(fd);
        if (watch == null) {
            return -Errno.ENOENT;
        }
        watch.file.unwatch(this);
        ready.remove(watch);
        return 0;
    }

    @Override
    public void woken(SimFile file) {
        for (Watch watch : watched.values()) {
            if (watch.file.equals(file) && events(watch) != 0) {
                ready.add(watch);
            }
        }
    }

    @Override
    public int await(long waitNanos) {
        long from = kernel.nowNanos();
        told.clear();
        kernel.pass(1_000);
        if (waitNanos != 0 && kernel.strikes(Mark.WAIT_INTERRUPTED, 50)) {
            kernel.asked(true);
            return 0;
        }
        if (waitNanos != 0) {
            kernel.sleep(waitNanos, this::anyReady);
        }
        gather();
        kernel.asked(waitNanos != 0 && kernel.nowNanos() - from > 10_000);
        return told.size();
    }

    private boolean anyReady() {
        return candidates().stream().anyMatch(watch -> events(watch) != 0);
    }

    private List<Watch> candidates() {
        return new ArrayList<>(epoll() ? ready : watched.values());
    }

    private void gather() {
        List<Watch> candidates = candidates();
        int max = kernel.strikes(Mark.PARTIAL_EVENTS, 30) ? 1 : EVENTS_MAX;
        if (!epoll()) {
            Collections.rotate(candidates, kernel.chance().below(Math.max(1, candidates.size())));
        }
        for (Watch watch : candidates) {
            int events = events(watch);
            if (events == 0 && !epoll() && (watch.interest & READ) != 0 && kernel.strikes(Mark.SPURIOUS_EVENT, 200)) {
                events = READ;
            }
            if (told.size() == max && events != 0) {
                continue;
            }
            ready.remove(watch);
            if (events != 0) {
                told.add(new Event(watch.token, events));
                if (kind == Kind.EPOLL_LT) {
                    ready.add(watch);
                }
            }
        }
    }

    private static int events(Watch watch) {
        int holds = watch.file.readiness();
        int events = 0;
        if ((watch.interest & READ) != 0 && (holds & (Poll.POLLIN | Poll.POLLRDHUP)) != 0) {
            events |= READ | ((holds & Poll.POLLRDHUP) != 0 ? END : 0);
        }
        if ((watch.interest & WRITE) != 0 && (holds & Poll.POLLOUT) != 0) {
            events |= WRITE;
        }
        return (holds & (Poll.POLLHUP | Poll.POLLERR)) != 0 ? events | HANG_UP : events;
    }

    @Override
    public long token(int index) {
        return told.get(index).token;
    }

    @Override
    public int events(int index) {
        return told.get(index).events;
    }

    @Override
    public void close() {
        watched.values().forEach(watch -> watch.file.unwatch(this));
        watched.clear();
        ready.clear();
    }
}
