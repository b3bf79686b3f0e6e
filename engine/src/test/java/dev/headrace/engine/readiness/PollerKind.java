package dev.headrace.engine.readiness;

import dev.headrace.abi.linux.SystemCalls;
import java.io.IOException;

/** The pollers that must behave alike. */
enum PollerKind {
    SELECT {
        @Override
        Poller open(SystemCalls calls) throws IOException {
            return new SelectPoller(calls);
        }
    },
    POLL {
        @Override
        Poller open(SystemCalls calls) throws IOException {
            return new PollPoller(calls);
        }
    },
    EPOLL {
        @Override
        Poller open(SystemCalls calls) throws IOException {
            return new EpollPoller(calls, false);
        }
    };

    abstract Poller open(SystemCalls calls) throws IOException;
}
