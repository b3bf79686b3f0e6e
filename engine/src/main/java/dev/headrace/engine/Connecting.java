package dev.headrace.engine;

import dev.headrace.abi.linux.SockaddrStorage;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import dev.headrace.engine.socket.SocketAddresses;
import dev.headrace.engine.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect: from the socket to the connection that takes it over, or to the failure.
 *
 * <p>Thread: the loop's, except {@link #cancel}. Owns: the socket until the connection takes it over, and the memory of the
 * address until the kernel has answered.
 */
final class Connecting implements ConnectAttempt, OperationOwner {
    private final Loop loop;
    private final InetSocketAddress address;
    private final Function<Connection, ConnectionHandler> handlers;
    private final ConnectFailure failure;
    private final Operation operation = new Operation(this);
    /** Lives as long as the attempt: the kernel may read the address until it has answered. */
    private final Arena arena = Arena.ofAuto();

    private @Nullable Timer timeout;
    /** Why nobody waits for the answer any more. */
    private @Nullable IOException givenUpBecause;

    private boolean told;
    private int fd = -1;

    Connecting(
            Loop loop,
            InetSocketAddress address,
            Function<Connection, ConnectionHandler> handlers,
            ConnectFailure failure) {
        this.loop = loop;
        this.address = Objects.requireNonNull(address, "address");
        this.handlers = Objects.requireNonNull(handlers, "handlers");
        this.failure = Objects.requireNonNull(failure, "failure");
    }

    void start() {
        loop.tenants().moveIn(this);
        if (loop.stopping()) {
            giveUp(loop.endedBecause());
        }
        if (givenUpBecause != null) {
            fail(givenUpBecause);
            return;
        }
        try {
            SocketAddresses.requireResolved(address);
            openSocket();
        } catch (IOException e) {
            fail(e);
            return;
        }
        long sockaddr = arena.allocate(SockaddrStorage.SIZE, 8).address();
        int length = SocketAddresses.write(address, sockaddr);
        loop.driver().stage(operation.prepareConnect(fd, sockaddr, length, arena));
        timeout = loop.schedule(EngineOptions.nanos(loop.options().connectTimeout()), this::timedOut);
    }

    private void openSocket() throws IOException {
        boolean nonBlocking = loop.options().backend().nonBlockingSockets();
        fd = loop.sockets().open(SocketAddresses.family(address), nonBlocking);
        if (fd < 0) {
            throw SocketErrors.exception("socket for " + SocketAddresses.inWords(address), fd);
        }
        // Before the handshake: the window's scale is agreed there, and it follows from the size of the buffer.
        loop.options().socketOptions().applyTo(loop.sockets(), fd);
    }

    @Override
    public void completed(Operation done, int result, boolean more, int bufferId) {
        if (done.kind() == Operation.Kind.CLOSE) {
            loop.tenants().moveOut(this);
        } else if (givenUpBecause != null) {
            fail(givenUpBecause);
        } else if (result < 0) {
            fail(SocketErrors.exception(attempted(), result));
        } else {
            told = true;
            stopTimer();
            loop.adopt(fd, handlers);
            loop.tenants().moveOut(this);
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void cancel() {
        if (loop.inLoop()) {
            giveUp("cancelled");
            return;
        }
        try {
            loop.execute(() -> giveUp("cancelled"));
        } catch (RejectedExecutionException e) {
            // The loop has ended, and its attempts with it.
        }
    }

    /** No answer is waited for: one that comes is that of the cancellation, or too late. */
    void giveUp(String because) {
        giveUp(new IOException(attempted() + ": " + because));
    }

    private void timedOut() {
        giveUp(new SocketTimeoutException(
                attempted() + ": no answer within " + inWords(loop.options().connectTimeout())));
    }

    private void giveUp(IOException because) {
        if (!told && givenUpBecause == null) {
            givenUpBecause = because;
            loop.driver().cancel(operation);
        }
    }

    /** The loop has died with the attempt in flight: whoever waits is told, the kernel may still read the address. */
    void abandon(String because) {
        if (!told) {
            tell(givenUpBecause != null ? givenUpBecause : new IOException(attempted() + ": " + because));
            if (fd >= 0) {
                loop.sockets().close(fd);
            }
        }
    }

    private String attempted() {
        return "connect to " + SocketAddresses.inWords(address);
    }

    private static String inWords(Duration duration) {
        long millis = EngineOptions.nanos(duration) / 1_000_000;
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    private void fail(IOException cause) {
        stopTimer();
        tell(cause);
        if (fd < 0) {
            loop.tenants().moveOut(this);
        } else {
            loop.driver().stage(operation.prepareClose(fd));
        }
    }

    private void tell(IOException cause) {
        told = true;
        try {
            failure.failed(address, cause);
        } catch (Throwable thrown) {
            loop.handlerFailed(thrown);
        }
    }

    private void stopTimer() {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
