package dev.headrace.lab.race;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A contestant made for tests: an echo server on plain sockets, a thread for each connection, that can be told to
 * misbehave after so many reads.
 */
public final class TinyEchoServer {
    private static final AtomicLong READS = new AtomicLong();

    private TinyEchoServer() {}

    /** Arguments: what to do (echo, die, corrupt, hang, refuse), and after how many reads. */
    public static void main(String[] arguments) throws IOException {
        String fault = arguments[0];
        long after = Long.parseLong(arguments[1]);
        if (fault.equals("refuse")) {
            System.err.println("there is no such thing here: install it");
            System.exit(3);
        }
        ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        System.out.println("listening on 127.0.0.1:" + listener.getLocalPort() + " | tiny, " + fault);
        Thread.ofPlatform().daemon().start(() -> accept(listener, fault, after));
        while (System.in.read() >= 0) {
            // runs until standard input ends
        }
    }

    private static void accept(ServerSocket listener, String fault, long after) {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofPlatform().daemon().start(() -> echo(socket, fault, after));
            }
        } catch (IOException e) {
            System.exit(1);
        }
    }

    private static void echo(Socket socket, String fault, long after) {
        byte[] bytes = new byte[65536];
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            for (int count = in.read(bytes); count > 0; count = in.read(bytes)) {
                if (READS.incrementAndGet() > after) {
                    misbehave(fault, bytes);
                }
                out.write(bytes, 0, count);
            }
        } catch (IOException e) {
            // the load has gone
        }
    }

    private static void misbehave(String fault, byte[] bytes) {
        switch (fault) {
            case "die" -> {
                System.err.println("the ceiling came down");
                System.err.flush();
                Runtime.getRuntime().halt(9);
            }
            case "corrupt" -> bytes[0]++;
            case "hang" -> {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            default -> {
                // an honest server
            }
        }
    }
}
