package dev.headrace.engine;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Is told that a connection could not be made. Thread: the loop's. */
@FunctionalInterface
public interface ConnectFailure {
    void failed(InetSocketAddress address, IOException cause);
}
