package dev.headrace.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** An address that does not answer: its listener's backlog is full, so that the kernel drops requests to connect. */
public final class SilentAddress implements AutoCloseable {
    private final ServerSocket listener;
    private final List<Socket> fillers = new ArrayList<>();

    private SilentAddress(ServerSocket listener) {
        this.listener = listener;
    }

    public static SilentAddress open() throws IOException {
        SilentAddress silent = new SilentAddress(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        try {
            silent.fill();
            return silent;
        } catch (IOException | AssertionError e) {
            silent.close();
            throw e;
        }
    }

    private void fill() throws IOException {
        for (int i = 0; i < 10; i++) {
            Socket filler = new Socket();
            fillers.add(filler);
            try {
                filler.connect(address(), 300);
            } catch (SocketTimeoutException full) {
                return;
            }
        }
        throw new AssertionError("the backlog did not fill");
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        for (Socket filler : fillers) {
            filler.close();
        }
        listener.close();
    }
}
