package dev.headrace.lab.workload.echo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server on plain sockets that treats every connection as the test wants. Owns: a thread for each connection. */
final class ScriptedServer implements AutoCloseable {
    /** What is done with a connection. */
    interface Script {
        void run(Socket socket, InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket listener;

    ScriptedServer(Script script) throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("scripted-accept").start(() -> accept(script));
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private void accept(Script script) {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().name("scripted").start(() -> run(script, socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private static void run(Script script, Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            script.run(socket, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            // the load has closed the connection
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
