package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.SystemCalls;
import java.io.IOException;

/** The pollers of the running kernel. */
public final class LinuxPollers implements Pollers {
    private final SystemCalls calls;

    public LinuxPollers(SystemCalls calls) {
        this.calls = calls;
    }

    @Override
    public Poller epoll(boolean edgeTriggered) throws IOException {
        return new EpollPoller(calls, edgeTriggered);
    }

    @Override
    public Poller poll() throws IOException {
        return new PollPoller(calls);
    }

    @Override
    public Poller select() throws IOException {
        return new SelectPoller(calls);
    }
}
