package dev.headrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The other end of a connection: a blocking socket of the JDK. Nothing it does waits longer than its time-out. */
public final class Peer implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 15_000;

    private final Socket socket;

    private Peer(Socket socket) {
        this.socket = socket;
    }

    public static Peer to(InetSocketAddress address) throws IOException {
        return to(address, 0);
    }

    /** A peer whose kernel takes only about so many bytes that were not read. */
    public static Peer to(InetSocketAddress address, int receiveBufferBytes) throws IOException {
        Socket socket = new Socket();
        try {
            if (receiveBufferBytes > 0) {
                socket.setReceiveBufferSize(receiveBufferBytes);
            }
            socket.connect(address, TIMEOUT_MILLIS);
            return of(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A peer on a socket that is connected already. */
    public static Peer of(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return new Peer(socket);
    }

    public Socket socket() {
        return socket;
    }

    public void send(byte[] bytes) throws IOException {
        send(bytes, 0, bytes.length);
    }

    public void send(byte[] bytes, int offset, int length) throws IOException {
        socket.getOutputStream().write(bytes, offset, length);
    }

    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Sends from a thread of its own; the future tells the failure. */
    public CompletableFuture<Void> sendMeanwhile(byte[] bytes) {
        return meanwhile(() -> send(bytes));
    }

    /** What may fail on a socket. */
    public interface Step {
        void run() throws IOException;
    }

    public static CompletableFuture<Void> meanwhile(Step step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("peer").start(() -> {
            try {
                step.run();
                done.complete(null);
            } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
            }
        });
        return done;
    }

    /** Receives exactly so many bytes. */
    public byte[] receive(int length) throws IOException {
        byte[] bytes = new byte[length];
        InputStream input = socket.getInputStream();
        int count = 0;
        while (count < length) {
            int read;
            try {
                read = input.read(bytes, count, length - count);
            } catch (SocketTimeoutException e) {
                throw new IOException("nothing came after " + count + " of " + length + " bytes", e);
            }
            if (read < 0) {
                throw new EOFException("end after " + count + " of " + length + " bytes");
            }
            count += read;
        }
        return bytes;
    }

    public String receiveText(int length) throws IOException {
        return new String(receive(length), StandardCharsets.US_ASCII);
    }

    public void expect(byte[] content) throws IOException {
        Content.requireSame(content, receive(content.length));
    }

    public void expect(String text) throws IOException {
        assertThat(receiveText(text.length())).isEqualTo(text);
    }

    /** Sends everything while receiving as many bytes, which must be the same. */
    public void exchange(byte[] content) throws IOException {
        CompletableFuture<Void> sent = sendMeanwhile(content);
        expect(content);
        sent.join();
    }

    public byte[] receiveToEnd() throws IOException {
        return socket.getInputStream().readAllBytes();
    }

    /** The other end has finished, with no further byte. */
    public void expectEnd() throws IOException {
        assertThat(socket.getInputStream().read()).as("the end of the stream").isEqualTo(-1);
    }

    /** Whatever still comes, then a reset and not an end; tells how many bytes came. */
    public long expectReset() {
        long[] count = {0};
        byte[] sink = new byte[64 << 10];
        assertThatThrownBy(() -> {
                    int read = socket.getInputStream().read(sink);
                    while (read >= 0) {
                        count[0] += read;
                        read = socket.getInputStream().read(sink);
                    }
                })
                .as("an end by reset, not in order")
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        return count[0];
    }

    /** Connects to one who resets each connection, which may show in the connect already. */
    public static void expectResetBy(InetSocketAddress address) throws IOException {
        try (Peer peer = to(address)) {
            peer.expectReset();
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    /** Nothing comes within the time. */
    public void expectSilence(int millis) throws IOException {
        socket.setSoTimeout(millis);
        assertThatThrownBy(() -> socket.getInputStream().read())
                .as("silence")
                .isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    /** Sends FIN; receiving goes on. */
    public void finish() throws IOException {
        socket.shutdownOutput();
    }

    /** Sends RST. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public String toString() {
        @Nullable Object local = socket.getLocalSocketAddress();
        return "peer " + local;
    }
}
