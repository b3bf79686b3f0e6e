package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.counter.Counters;
import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.EventFd;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.Surroundings;
import dev.headrace.engine.socket.Sockets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The driver over any {@link Poller}: try the call, park on EAGAIN, try again when the descriptor is ready.
 *
 * <p>Receives are parked at once, without trying: a connection that was just accepted or served has usually nothing to
 * read yet. Sends are tried at once, for the socket buffer has usually room. A level-triggered poller reports again what
 * was not read to the end, so nothing is read a second time just to see EAGAIN. With an edge-triggered one a descriptor
 * is read until it gives less than asked, within its share of a turn, and goes on in the next turn ({@link Leftovers});
 * a receive that is parked anew has its interest set again, which makes the poller tell what it told before.
 *
 * <p>Thread: the loop's, for all but {@link #wake}. Owns: the poller and its eventfd.
 */
public final class ReadinessDriver implements Driver {
    /** Connections taken from one listener per turn, so that a storm of them does not starve those that are open. */
    private static final int ACCEPTS_PER_TURN = 64;
    /** Slices filled from one connection per turn, edge-triggered; level-triggered it is one. */
    private static final int RECEIVES_PER_TURN = 4;

    private final Poller poller;
    private final Sockets sockets;
    private final BufferPool pool;
    private final Counters counters;
    private final Capabilities capabilities;
    private final EventFd wakeUp;
    private final DescriptorTable table = new DescriptorTable();
    private final boolean edgeTriggered;
    private final Leftovers leftovers = new Leftovers();

    private @Nullable Operation[] staged = new Operation[64];
    private int stagedCount;
    /** Whether a record of this turn must not wait for the next event. */
    private boolean urgent;

    public ReadinessDriver(Poller poller, EventFd wakeUp, Surroundings surroundings, Capabilities capabilities) {
        this.poller = poller;
        this.edgeTriggered = poller.edgeTriggered();
        this.sockets = surroundings.sockets();
        this.wakeUp = wakeUp;
        this.pool = surroundings.pool();
        this.counters = surroundings.counters();
        this.capabilities = capabilities;
        table.ensure(wakeUp.fd());
        int result = poller.watch(wakeUp.fd(), false, Poller.READ, table.token(wakeUp.fd()));
        if (result < 0) {
            throw new IllegalStateException("cannot watch the wake-up descriptor: " + Errno.describe(-result));
        }
    }

    @Override
    public void stage(Operation operation) {
        operation.begin(Operation.State.STAGED);
        enqueue(operation);
    }

    private void enqueue(Operation operation) {
        if (stagedCount == staged.length) {
            staged = Arrays.copyOf(staged, stagedCount * 2);
        }
        staged[stagedCount++] = operation;
    }

    @Override
    public void cancel(Operation operation) {
        if (operation.idle() || operation.state() == Operation.State.CANCELLING) {
            return;
        }
        boolean parked = operation.state() == Operation.State.IN_FLIGHT;
        operation.moveTo(Operation.State.CANCELLING);
        if (parked) {
            unpark(operation);
            enqueue(operation);
        }
    }

    @Override
    public void turn(long waitNanos, Completions completions) {
        urgent = false;
        int count = stagedCount;
        for (int i = 0; i < count; i++) {
            Operation operation = staged[i];
            assert operation != null;
            attempt(operation, completions);
        }
        stagedCount = 0;
        applyInterests(completions);
        boolean wait = !urgent && leftovers.isEmpty() && (completions.count() == 0 || pool.freeCount() > 0);
        int ready = poller.await(wait ? waitNanos : 0);
        counters.increment(Counter.ENTERS);
        serveLeftovers(completions);
        for (int i = 0; i < ready; i++) {
            serve(poller.token(i), poller.events(i), completions);
        }
    }

    @Override
    public void wake() {
        wakeUp.signal();
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public void close() {
        poller.close();
        wakeUp.close();
    }

    private void attempt(Operation operation, Completions completions) {
        if (operation.state() == Operation.State.CANCELLING) {
            finish(operation, -Errno.ECANCELED, completions);
            return;
        }
        switch (operation.kind()) {
            case SEND, SEND_GATHER -> send(operation, completions);
            case ACCEPT, RECEIVE, RECEIVE_INTO, POLL -> parkReader(operation);
            case CONNECT -> connect(operation, completions);
            case SHUTDOWN -> finish(operation, sockets.shutdown(operation.fd(), operation.flags()), completions);
            case CLOSE -> closeDescriptor(operation, completions);
        }
    }

    private void send(Operation operation, Completions completions) {
        int sent = trySend(operation);
        if (sent == -Errno.EAGAIN) {
            counters.increment(Counter.SHORT_SENDS);
            parkWriter(operation);
            return;
        }
        if (sent == operation.length() && operation.quiet()) {
            operation.moveTo(Operation.State.IDLE);
            completions.add(operation, sent, false, -1);
            return;
        }
        if (sent >= 0 && sent < operation.length()) {
            counters.increment(Counter.SHORT_SENDS);
        }
        finish(operation, sent, completions);
    }

    private int trySend(Operation operation) {
        int sent;
        int tries = 0;
        do {
            sent = operation.kind() == Operation.Kind.SEND
                    ? sockets.send(operation.fd(), operation.address(), operation.length())
                    : sockets.sendGather(operation.fd(), operation.address());
        } while (sent == -Errno.EINTR && ++tries < 16);
        return sent;
    }

    private void connect(Operation operation, Completions completions) {
        int result = sockets.connect(operation.fd(), operation.address(), operation.length());
        if (result == -Errno.EINPROGRESS) {
            parkWriter(operation);
        } else {
            finish(operation, result, completions);
        }
    }

    private void closeDescriptor(Operation operation, Completions completions) {
        int fd = operation.fd();
        table.ensure(fd);
        assert table.reader(fd) == null && table.writer(fd) == null : "closed with an operation parked: " + operation;
        if (table.registered(fd)) {
            poller.forget(fd);
        }
        table.retire(fd);
        finish(operation, sockets.close(fd), completions);
    }

    private void parkReader(Operation operation) {
        table.ensure(operation.fd());
        assert table.reader(operation.fd()) == null : "two readers: " + operation;
        operation.moveTo(Operation.State.IN_FLIGHT);
        table.reader(operation.fd(), operation);
        if (edgeTriggered && table.registered(operation.fd())) {
            // What was told while nobody listened is told again when the interest is set again.
            table.watching(operation.fd(), 0);
        }
    }

    private void parkWriter(Operation operation) {
        table.ensure(operation.fd());
        assert table.writer(operation.fd()) == null : "two writers: " + operation;
        operation.moveTo(Operation.State.IN_FLIGHT);
        table.writer(operation.fd(), operation);
    }

    private void unpark(Operation operation) {
        int fd = operation.fd();
        if (table.reader(fd) == operation) {
            table.reader(fd, null);
        } else if (table.writer(fd) == operation) {
            table.writer(fd, null);
        }
    }

    /** Ends an operation whose record must reach its owner without waiting for another event. */
    private void finish(Operation operation, int result, Completions completions) {
        operation.moveTo(Operation.State.IDLE);
        completions.add(operation, result, false, -1);
        urgent = true;
    }

    /** Tells the poller, right before the wait, which interests have changed since the last. */
    private void applyInterests(Completions completions) {
        for (int fd = table.nextChange(); fd >= 0; fd = table.nextChange()) {
            Operation reader = table.reader(fd);
            Operation writer = table.writer(fd);
            int interest = readInterest(reader) | (writer == null ? 0 : Poller.WRITE);
            boolean registered = table.registered(fd);
            boolean wanted = reader != null || writer != null;
            if (registered ? toldAlready(interest, table.interest(fd)) : !wanted) {
                continue;
            }
            int result = poller.watch(fd, registered, interest, table.token(fd));
            if (result < 0) {
                refuse(fd, result, completions);
            } else {
                table.watching(fd, interest);
            }
        }
    }

    /** An edge that nobody waits for costs little; level-triggered, an interest too many would end each wait. */
    private boolean toldAlready(int interest, int told) {
        return edgeTriggered ? (interest & ~told) == 0 : interest == told;
    }

    private static int readInterest(@Nullable Operation reader) {
        if (reader == null) {
            return 0;
        }
        if (reader.kind() != Operation.Kind.POLL) {
            return Poller.READ;
        }
        return ((reader.flags() & Poll.POLLIN) != 0 ? Poller.READ : 0)
                | ((reader.flags() & Poll.POLLOUT) != 0 ? Poller.WRITE : 0);
    }

    /** The poller does not take the descriptor (EBADF, ENOSPC, EPERM): whoever waits on it is told. */
    private void refuse(int fd, int result, Completions completions) {
        Operation reader = table.reader(fd);
        Operation writer = table.writer(fd);
        if (reader != null) {
            unpark(reader);
            finish(reader, result, completions);
        }
        if (writer != null) {
            unpark(writer);
            finish(writer, result, completions);
        }
    }

    private void serveLeftovers(Completions completions) {
        int count = leftovers.count();
        for (int i = 0; i < count; i++) {
            serve(leftovers.token(i), leftovers.events(i), completions);
        }
        leftovers.remove(count);
    }

    private void serve(long token, int events, Completions completions) {
        int fd = (int) token;
        if (!table.current(token)) {
            return;
        }
        if (fd == wakeUp.fd()) {
            wakeUp.drain();
            return;
        }
        Operation reader = table.reader(fd);
        Operation writer = table.writer(fd);
        if (reader != null
                && (reader.kind() == Operation.Kind.POLL || (events & (Poller.READ | Poller.HANG_UP)) != 0)) {
            read(reader, events, completions);
        }
        if (writer != null && (events & (Poller.WRITE | Poller.HANG_UP)) != 0) {
            write(writer, completions);
        }
        if (reader == null && writer == null && (events & Poller.HANG_UP) != 0) {
            // Hang-up is reported whatever the interest: with nobody to tell, each wait would end at once.
            poller.forget(fd);
            table.notWatching(fd);
        }
    }

    private void read(Operation reader, int events, Completions completions) {
        switch (reader.kind()) {
            case RECEIVE -> receive(reader, events, completions);
            case RECEIVE_INTO -> receiveInto(reader, events, completions);
            case ACCEPT -> accept(reader, completions);
            case POLL -> endReader(reader, pollBits(events), completions);
            default -> throw new AssertionError("parked as reader: " + reader);
        }
    }

    private void receive(Operation reader, int events, Completions completions) {
        int share = edgeTriggered ? RECEIVES_PER_TURN : 1;
        for (int i = 0; i < share; i++) {
            int id = pool.take();
            if (id < 0) {
                counters.increment(Counter.ENOBUFS);
                endReader(reader, -Errno.ENOBUFS, completions);
                return;
            }
            int received = sockets.receive(reader.fd(), pool.address(id), pool.sizeBytes());
            if (received <= 0) {
                pool.give(id);
                receivedNothing(reader, received, events, completions);
                return;
            }
            completions.add(reader, received, true, id);
            boolean more = received == pool.sizeBytes() || (events & (Poller.END | Poller.HANG_UP)) != 0;
            if (!more) {
                return;
            }
        }
        leaveOver(reader, events);
    }

    /** An interrupted read has taken nothing: an edge was told for what is still there, and is not told again. */
    private void receivedNothing(Operation reader, int result, int events, Completions completions) {
        if (result == -Errno.EINTR) {
            leaveOver(reader, events);
        } else if (result != -Errno.EAGAIN) {
            endReader(reader, result, completions);
        }
    }

    private void leaveOver(Operation reader, int events) {
        if (edgeTriggered) {
            leftovers.add(table.token(reader.fd()), events);
        }
    }

    private void receiveInto(Operation reader, int events, Completions completions) {
        int received = sockets.receive(reader.fd(), reader.address(), reader.length());
        if (received > 0) {
            endReader(reader, received, completions);
        } else {
            receivedNothing(reader, received, events, completions);
        }
    }

    private void accept(Operation reader, Completions completions) {
        for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
            int accepted = sockets.accept(reader.fd(), true);
            if (accepted >= poller.descriptorsMax()) {
                sockets.close(accepted);
                accepted = -Errno.EMFILE;
            }
            if (accepted >= 0) {
                completions.add(reader, accepted, true, -1);
            } else if (accepted == -Errno.EAGAIN) {
                return;
            } else if (accepted != -Errno.EINTR && accepted != -Errno.ECONNABORTED) {
                endReader(reader, accepted, completions);
                return;
            }
        }
        leaveOver(reader, Poller.READ);
    }

    private void endReader(Operation reader, int result, Completions completions) {
        table.reader(reader.fd(), null);
        reader.moveTo(Operation.State.IDLE);
        completions.add(reader, result, false, -1);
    }

    private void write(Operation writer, Completions completions) {
        int result = writer.kind() == Operation.Kind.CONNECT ? connectResult(writer.fd()) : trySend(writer);
        if (result == -Errno.EAGAIN) {
            return;
        }
        table.writer(writer.fd(), null);
        writer.moveTo(Operation.State.IDLE);
        completions.add(writer, result, false, -1);
    }

    private int connectResult(int fd) {
        int pending = sockets.option(fd, Socket.SOL_SOCKET, Socket.SO_ERROR);
        return pending > 0 ? -pending : pending;
    }

    private static int pollBits(int events) {
        return ((events & Poller.READ) != 0 ? Poll.POLLIN : 0)
                | ((events & Poller.WRITE) != 0 ? Poll.POLLOUT : 0)
                | ((events & Poller.HANG_UP) != 0 ? Poll.POLLHUP : 0);
    }
}
