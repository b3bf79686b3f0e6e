package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.Tcp;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated TCP connection, as Linux behaves:
 *
 * <ul>
 *   <li>data that arrived before a reset can still be read; then the reset is told once, as ECONNRESET (EPIPE when the peer
 *       had finished before), to whichever call meets it first, and after that a receive gives the end and a send EPIPE
 *       (tcp_reset, tcp_recvmsg, sk_stream_error in net/ipv4 and net/core);
 *   <li>a socket closed with unread data, or with SO_LINGER 0, resets; otherwise it sends what it has and FIN (tcp_close);
 *   <li>data for a socket that is closed is answered by a reset;
 *   <li>a socket is writable, to a poller, when a third of its buffer is free (sk_stream_is_writeable).
 * </ul>
 *
 * <p>Thread: the simulation's. Owns: the bytes that have arrived and were not read.
 */
final class Endpoint extends SimFile {
    /** Where the connection is, as far as anybody can tell. */
    private enum State {
        NEW,
        CONNECTING,
        ESTABLISHED,
        OVER
    }

    private final SimKernel kernel;
    private final ByteFifo input = new ByteFifo();
    private final int bufferBytes;
    private @Nullable Endpoint other;
    private State state = State.NEW;
    private int error;
    private boolean finSent;
    private boolean finReceived;
    private boolean closed;
    private boolean resetOnClose;
    /** A send found no room: whoever waits for it is told when there is some. */
    private boolean awaitsRoom;
    /** The port at the other end. */
    int number;

    /** Sent by the other end and not here yet. */
    private int comingBytes;

    private long arrivalNanos;
    /** What the script of a remote end does when something has come; null for ends that have a descriptor. */
    @Nullable
    Runnable arrived;

    Endpoint(SimKernel kernel, int bufferBytes) {
        this.kernel = kernel;
        this.bufferBytes = bufferBytes;
    }

    // ---- what the network does

    static void join(Endpoint one, Endpoint two) {
        one.other = two;
        two.other = one;
        one.state = State.ESTABLISHED;
        two.state = State.ESTABLISHED;
    }

    void connecting() {
        state = State.CONNECTING;
    }

    void connectFailed(int errno) {
        state = State.OVER;
        error = errno;
        changed();
    }

    /** Carries something to the other end, behind everything that is on its way. */
    private void carry(Runnable arrival) {
        Endpoint to = other;
        if (to != null) {
            long at = Math.max(to.arrivalNanos, kernel.nowNanos() + kernel.latencyNanos());
            to.arrivalNanos = at;
            kernel.at(at - kernel.nowNanos(), arrival);
        }
    }

    private void bytesArrive(byte[] bytes) {
        comingBytes -= bytes.length;
        if (closed || state == State.OVER) {
            if (closed && state != State.OVER) {
                sendReset();
            }
            return;
        }
        kernel.progressed();
        input.add(bytes, 0, bytes.length);
        changed();
    }

    private void finArrives() {
        if (state != State.OVER) {
            kernel.progressed();
            finReceived = true;
            changed();
        }
    }

    private void resetArrives() {
        if (state != State.OVER) {
            kernel.progressed();
            error = finReceived && state == State.ESTABLISHED ? Errno.EPIPE : Errno.ECONNRESET;
            state = State.OVER;
            changed();
        }
    }

    private void sendReset() {
        Endpoint to = other;
        if (state != State.OVER && to != null) {
            state = State.OVER;
            // It overtakes nothing: what was sent before may still arrive first.
            carry(to::resetArrives);
        }
    }

    private void changed() {
        if (arrived != null) {
            arrived.run();
        } else {
            wake();
        }
    }

    // ---- the calls

    int available() {
        return input.size();
    }

    /** Bytes for memory at that address; 0 at the end, a negative errno without. */
    int receive(long address, int length) {
        int count = Math.min(length, input.size());
        if (count > 0) {
            input.takeTo(address, count);
            afterRead();
            return count;
        }
        return nothingToRead();
    }

    byte[] take(int count) {
        byte[] bytes = input.take(count);
        afterRead();
        return bytes;
    }

    private void afterRead() {
        kernel.progressed();
        Endpoint from = other;
        if (from != null) {
            from.roomMade();
        }
    }

    private int nothingToRead() {
        if (error != 0) {
            int told = error;
            error = 0;
            return -told;
        }
        if (finReceived || state == State.OVER) {
            return 0;
        }
        return state == State.ESTABLISHED ? -Errno.EAGAIN : -Errno.ENOTCONN;
    }

    /** Why nothing can be sent, or 0. Telling takes the error away. */
    int sendRefused() {
        if (error != 0) {
            int told = error;
            error = 0;
            return -told;
        }
        if (finSent || state == State.OVER) {
            return -Errno.EPIPE;
        }
        return state == State.ESTABLISHED ? 0 : -Errno.ENOTCONN;
    }

    int room() {
        Endpoint to = other;
        return to == null ? 0 : bufferBytes - to.comingBytes - to.input.size();
    }

    void send(byte[] bytes) {
        Endpoint to = Objects.requireNonNull(other);
        kernel.progressed();
        to.comingBytes += bytes.length;
        carry(() -> to.bytesArrive(bytes));
    }

    void awaitRoom() {
        awaitsRoom = true;
    }

    private void roomMade() {
        if (awaitsRoom && writable()) {
            awaitsRoom = false;
            changed();
        }
    }

    private boolean writable() {
        return room() * 3 >= bufferBytes;
    }

    int finish() {
        if (state != State.ESTABLISHED) {
            return -Errno.ENOTCONN;
        }
        if (!finSent) {
            finSent = true;
            kernel.progressed();
            Endpoint to = Objects.requireNonNull(other);
            carry(to::finArrives);
            wake();
        }
        return 0;
    }

    void resetOnClose() {
        resetOnClose = true;
    }

    /** Drops everything and tells the other end so. */
    void reset() {
        closed = true;
        sendReset();
        input.clear();
    }

    @Override
    void released() {
        boolean unread = input.size() > 0;
        if (resetOnClose || unread) {
            reset();
        } else {
            finish();
            closed = true;
        }
    }

    int takeError() {
        int told = error;
        error = 0;
        return told;
    }

    boolean established() {
        return state == State.ESTABLISHED;
    }

    boolean over() {
        return state == State.OVER;
    }

    boolean ended() {
        return finReceived;
    }

    /** The state as {@code TCP_INFO} has it. */
    int tcpState() {
        return switch (state) {
            case NEW, OVER -> Tcp.TCP_CLOSE;
            case CONNECTING -> 2;
            case ESTABLISHED -> finSent && finReceived ? Tcp.TCP_LAST_ACK : 1;
        };
    }

    @Override
    int readiness() {
        int events = 0;
        if (input.size() > 0 || finReceived || state == State.OVER) {
            events |= Poll.POLLIN;
        }
        if (finReceived || state == State.OVER) {
            events |= Poll.POLLRDHUP;
        }
        if (state == State.OVER || state == State.ESTABLISHED && (finSent || writable())) {
            events |= Poll.POLLOUT;
        }
        if (finReceived && finSent || state == State.OVER || state == State.NEW) {
            events |= Poll.POLLHUP;
        }
        return error == 0 ? events : events | Poll.POLLERR;
    }
}
