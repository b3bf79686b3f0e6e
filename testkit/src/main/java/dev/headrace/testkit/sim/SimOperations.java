package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.Poll;
import dev.headrace.abi.linux.Socket;
import dev.headrace.engine.socket.SocketAddresses;
import java.util.Arrays;
import java.util.Objects;

/**
 * What the requests of a simulated ring do, each try of each kind:
 *
 * <ul>
 *   <li>a receive chooses its buffer before it looks for data, and so finds none even on an idle socket or at the end of
 *       input; a buffer without use stays where it was (io_uring/net.c, io_recv);
 *   <li>a multishot request answers up to 32 times in one go, with F_MORE; when the completion queue is full it ends with the
 *       answer at hand;
 *   <li>a send with WAITALL goes on after a short one until it may not wait (DONTWAIT); cut short, that counts as failed, so
 *       that CQE_SKIP_SUCCESS does not hide it.
 * </ul>
 *
 * <p>Thread: the simulation's.
 */
final class SimOperations {
    private static final int SHOTS_MAX = 32;

    private final SimKernel kernel;
    private final SimSockets sockets;
    private final SimRing ring;
    private final SimBuffers buffers;

    SimOperations(SimKernel kernel, SimSockets sockets, SimRing ring, SimBuffers buffers) {
        this.kernel = kernel;
        this.sockets = sockets;
        this.ring = ring;
        this.buffers = buffers;
    }

    /** The events of its file that let a request go on. */
    static int awaited(SimRequest request) {
        int always = Poll.POLLERR | Poll.POLLHUP;
        return switch (request.opcode) {
            case IoUring.IORING_OP_SEND, IoUring.IORING_OP_SENDMSG, IoUring.IORING_OP_CONNECT -> Poll.POLLOUT | always;
            case IoUring.IORING_OP_POLL_ADD -> request.opFlags | always;
            default -> Poll.POLLIN | Poll.POLLRDHUP | always;
        };
    }

    /** Tries once; the request has ended, or goes on waiting. */
    void attempt(SimRequest request) {
        switch (request.opcode) {
            case IoUring.IORING_OP_RECV -> receive(request);
            case IoUring.IORING_OP_ACCEPT -> accept(request);
            case IoUring.IORING_OP_SEND, IoUring.IORING_OP_SENDMSG -> send(request);
            case IoUring.IORING_OP_CONNECT -> connect(request);
            case IoUring.IORING_OP_POLL_ADD -> poll(request);
            case IoUring.IORING_OP_READ -> read(request);
            default -> ring.finish(request, -Errno.EINVAL, 0, true);
        }
    }

    /** Takes over a buffer that a request offers. */
    int offer(SimRequest request) {
        if (kernel.strikes(Mark.OFFER_REFUSED, 60)) {
            buffers.refused();
            return -Errno.ENOMEM;
        }
        buffers.offer((int) request.offset, request.address, request.length);
        return 0;
    }

    private void receive(SimRequest request) {
        if (!(request.file instanceof Endpoint endpoint)) {
            ring.finish(request, -Errno.ENOTSOCK, 0, true);
            return;
        }
        if (!request.has(IoUring.IOSQE_BUFFER_SELECT)) {
            int received = sockets.receive(endpoint, request.address, request.length);
            if (received != -Errno.EAGAIN) {
                ring.finish(request, received, 0, received < 0);
            }
            return;
        }
        boolean multishot = (request.priority & IoUring.IORING_RECV_MULTISHOT) != 0;
        for (int shot = 0; shot < SHOTS_MAX; shot++) {
            SimBuffers.Chosen buffer = buffers.choose();
            if (buffer == null) {
                ring.noBuffers(request);
                return;
            }
            int received = sockets.receive(endpoint, buffer.address(), buffer.length());
            if (received <= 0) {
                buffers.putBack(buffer);
                if (received != -Errno.EAGAIN) {
                    ring.finish(request, received, 0, received < 0);
                }
                return;
            }
            if (!answered(request, received, buffer.id(), multishot)) {
                return;
            }
        }
        ring.tryAgain(request);
    }

    /** Tells what was received; whether there may be more. */
    private boolean answered(SimRequest request, int received, int bufferId, boolean multishot) {
        int flags = IoUring.IORING_CQE_F_BUFFER | bufferId << IoUring.IORING_CQE_BUFFER_SHIFT;
        if (multishot && !ends()) {
            ring.post(request, received, flags | IoUring.IORING_CQE_F_MORE);
            return true;
        }
        ring.finish(request, received, flags, false);
        return false;
    }

    /** Whether a multishot request ends with this answer. */
    private boolean ends() {
        if (ring.completionsFull()) {
            kernel.marks().met(Mark.MULTISHOT_ENDED);
            return true;
        }
        return kernel.strikes(Mark.MULTISHOT_ENDED, 60);
    }

    private void accept(SimRequest request) {
        if (!(request.file instanceof SimListener listener)) {
            ring.finish(request, -Errno.EINVAL, 0, true);
            return;
        }
        boolean multishot = (request.priority & IoUring.IORING_ACCEPT_MULTISHOT) != 0;
        boolean nonBlocking = (request.opFlags & Socket.SOCK_NONBLOCK) != 0;
        for (int shot = 0; shot < SHOTS_MAX; shot++) {
            int accepted = sockets.accept(listener, nonBlocking);
            if (accepted == -Errno.EAGAIN) {
                return;
            }
            if (accepted < 0 || !multishot || ends()) {
                ring.finish(request, accepted, 0, accepted < 0);
                return;
            }
            ring.post(request, accepted, IoUring.IORING_CQE_F_MORE);
        }
        ring.tryAgain(request);
    }

    private void send(SimRequest request) {
        if (!(request.file instanceof Endpoint endpoint)) {
            ring.finish(request, -Errno.ENOTSOCK, 0, true);
            return;
        }
        boolean waitAll = (request.opFlags & Socket.MSG_WAITALL) != 0;
        boolean mayWait = (request.opFlags & Socket.MSG_DONTWAIT) == 0;
        byte[] bytes = request.bytesToSend();
        byte[] rest = Arrays.copyOfRange(bytes, request.done, bytes.length);
        int sent = sockets.send(endpoint, rest);
        if (sent >= 0) {
            request.done += sent;
        }
        boolean whole = request.done == bytes.length;
        if (mayWait && (sent == -Errno.EAGAIN || sent >= 0 && !whole && waitAll)) {
            goOnLater(request, endpoint, sent);
            return;
        }
        if (!mayWait && !whole) {
            kernel.marks().met(Mark.QUIET_SEND_FAILED);
        }
        int result = request.done > 0 ? request.done : sent;
        ring.finish(request, result, 0, result < 0 || waitAll && !whole);
    }

    /** After a short send that left room the kernel tries again by itself; otherwise room is awaited. */
    private void goOnLater(SimRequest request, Endpoint endpoint, int sent) {
        if (sent > 0 && endpoint.room() > 0) {
            ring.tryAgain(request);
        }
    }

    private void connect(SimRequest request) {
        Endpoint endpoint = (Endpoint) Objects.requireNonNull(request.file);
        if (request.done == 0) {
            request.done = -1;
            kernel.connectOut(endpoint, SocketAddresses.read(request.address));
            return;
        }
        if (endpoint.established()) {
            ring.finish(request, 0, 0, false);
        } else if (endpoint.over()) {
            ring.finish(request, -endpoint.takeError(), 0, true);
        }
    }

    private void poll(SimRequest request) {
        int events = Objects.requireNonNull(request.file).readiness() & awaited(request);
        if (events != 0) {
            ring.finish(request, events, 0, false);
        }
    }

    private void read(SimRequest request) {
        int count = request.file instanceof SimEventFd eventFd ? eventFd.readTo(request.address) : -Errno.EBADF;
        if (count != -Errno.EAGAIN) {
            ring.finish(request, count, 0, count < 0);
        }
    }
}
