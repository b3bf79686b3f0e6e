package dev.headrace.engine.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.Pollfd;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A poller that reports what the test has put there, once, and checks how it is used. */
final class FakePoller implements Poller {
    private record Watch(int interest, long token) {}

    private record Event(long token, int events) {}

    private final boolean edgeTriggered;
    private final Map<Integer, Watch> watched = new HashMap<>();
    private final Map<Integer, Integer> watchCalls = new HashMap<>();
    private final Map<Integer, Integer> refusals = new HashMap<>();
    private final List<Integer> forgotten = new ArrayList<>();
    private final List<Event> coming = new ArrayList<>();
    private List<Event> reported = List.of();
    private List<String> log = new ArrayList<>();
    private long lastWaitNanos;
    private int wakeUp = -1;
    private boolean closed;

    FakePoller() {
        this(false);
    }

    FakePoller(boolean edgeTriggered) {
        this.edgeTriggered = edgeTriggered;
    }

    @Override
    public boolean edgeTriggered() {
        return edgeTriggered;
    }

    void ready(int fd, int events) {
        readyByToken(token(fd, events), events);
    }

    void readyByToken(long token, int events) {
        coming.add(new Event(token, events));
    }

    long token(int fd, int events) {
        Watch watch = watched.get(fd);
        if (watch == null) {
            throw new AssertionError("not watched: " + fd);
        }
        assertThat(events & ~(watch.interest() | HANG_UP))
                .as("events without interest on " + fd)
                .isZero();
        return watch.token();
    }

    /** The wake-up descriptor is a real one: looks whether it is readable, and reports it if so. */
    boolean readyIfSignalled() {
        try (Arena arena = Arena.ofConfined()) {
            long entry = arena.allocate(Pollfd.SIZE, 4).address();
            Pollfd.fd(entry, wakeUp);
            Pollfd.events(entry, (short) Poll.POLLIN);
            boolean signalled = new SystemCalls().poll(entry, 1, 0) == 1;
            if (signalled) {
                ready(wakeUp, READ);
            }
            return signalled;
        }
    }

    /** From here on a watch of the descriptor fails. */
    void refuse(int fd, int result) {
        refusals.put(fd, result);
    }

    void log(List<String> calls) {
        log = calls;
    }

    int interest(int fd) {
        Watch watch = watched.get(fd);
        return watch == null ? 0 : watch.interest();
    }

    int watches(int fd) {
        return watchCalls.getOrDefault(fd, 0);
    }

    List<Integer> forgotten() {
        return forgotten;
    }

    long lastWaitNanos() {
        return lastWaitNanos;
    }

    boolean closed() {
        return closed;
    }

    @Override
    public int watch(int fd, boolean registered, int interest, long token) {
        if (wakeUp < 0) {
            wakeUp = fd;
        }
        assertThat(registered).as("whether " + fd + " is registered").isEqualTo(watched.containsKey(fd));
        watchCalls.merge(fd, 1, Integer::sum);
        Integer refusal = refusals.get(fd);
        if (refusal != null) {
            return refusal;
        }
        watched.put(fd, new Watch(interest, token));
        return 0;
    }

    @Override
    public int forget(int fd) {
        assertThat(watched.remove(fd))
                .as("forgotten without being watched: " + fd)
                .isNotNull();
        forgotten.add(fd);
        log.add("forget " + fd);
        return 0;
    }

    @Override
    public int await(long waitNanos) {
        lastWaitNanos = waitNanos;
        reported = List.copyOf(coming);
        coming.clear();
        return reported.size();
    }

    @Override
    public long token(int index) {
        return reported.get(index).token();
    }

    @Override
    public int events(int index) {
        return reported.get(index).events();
    }

    @Override
    public void close() {
        closed = true;
    }
}
