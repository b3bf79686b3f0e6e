package dev.headrace.engine.readiness;

import java.io.IOException;

/**
 * Where pollers come from: the running kernel, or in tests something that stands for it.
 *
 * <p>Thread: the one that will use the pollers. Owns: nothing.
 */
public interface Pollers {
    /**
     * An {@code epoll(7)} instance.
     *
     * @throws IOException when the kernel refuses, with its reason
     */
    Poller epoll(boolean edgeTriggered) throws IOException;

    /**
     * A {@code poll(2)} set.
     *
     * @throws IOException when the kernel refuses, with its reason
     */
    Poller poll() throws IOException;

    /**
     * A {@code select(2)} set.
     *
     * @throws IOException when the kernel refuses, with its reason
     */
    Poller select() throws IOException;
}
