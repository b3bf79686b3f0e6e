package dev.headrace.peers;

import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * Sends every byte back on the connection it came from, and finishes the connection when its peer has finished.
 *
 * <p>Thread: {@link #start} is called once; the server then runs on one thread of its own.
 */
interface EchoServer {
    /** Connections that may wait to be accepted; the kernel lowers it to {@code net.core.somaxconn}. */
    int BACKLOG = 4096;

    /**
     * Binds and begins to serve.
     *
     * @return where the server listens, with the port that the kernel chose if 0 was asked for
     */
    InetSocketAddress start(InetSocketAddress address) throws IOException;

    /** What is used: versions, options, sizes, fallbacks. One line, known once the server has started. */
    String configuration();
}
