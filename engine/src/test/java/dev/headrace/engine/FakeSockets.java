package dev.headrace.engine;

import dev.headrace.engine.socket.Sockets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Socket calls that answer what the test has put there, and 0 or a default otherwise; each call is written down. */
public final class FakeSockets implements Sockets {
    private final Map<String, Deque<Integer>> answers = new HashMap<>();
    private final List<String> calls = new ArrayList<>();

    /** The next answers of a call on a descriptor, such as {@code send 5}. */
    public FakeSockets answers(String call, Integer... results) {
        answers.computeIfAbsent(call, _ -> new ArrayDeque<>()).addAll(List.of(results));
        return this;
    }

    /** The calls so far, each with its descriptor. */
    public List<String> calls() {
        return calls;
    }

    private int answer(String call, int otherwise) {
        calls.add(call);
        Deque<Integer> results = answers.get(call);
        return results == null || results.isEmpty() ? otherwise : results.remove();
    }

    @Override
    public int open(int family, boolean nonBlocking) {
        return answer("open", 99);
    }

    @Override
    public int bind(int fd, long sockaddr, int sockaddrBytes) {
        return answer("bind " + fd, 0);
    }

    @Override
    public int listen(int fd, int backlog) {
        return answer("listen " + fd, 0);
    }

    @Override
    public int accept(int fd, boolean nonBlocking) {
        return answer("accept " + fd, -11);
    }

    @Override
    public int connect(int fd, long sockaddr, int sockaddrBytes) {
        return answer("connect " + fd, 0);
    }

    @Override
    public int receive(int fd, long address, int length) {
        return answer("receive " + fd, -11);
    }

    @Override
    public int send(int fd, long address, int length) {
        return answer("send " + fd, length);
    }

    @Override
    public int sendGather(int fd, long msghdr) {
        return answer("sendGather " + fd, 0);
    }

    @Override
    public int shutdown(int fd, int how) {
        return answer("shutdown " + fd, 0);
    }

    @Override
    public int close(int fd) {
        return answer("close " + fd, 0);
    }

    @Override
    public int setOption(int fd, int level, int name, int value) {
        return answer("setOption " + fd, 0);
    }

    @Override
    public int option(int fd, int level, int name) {
        return answer("option " + fd, 0);
    }

    @Override
    public int resetOnClose(int fd) {
        return answer("resetOnClose " + fd, 0);
    }

    @Override
    public int localAddress(int fd, long sockaddr) {
        return answer("localAddress " + fd, 0);
    }

    @Override
    public int remoteAddress(int fd, long sockaddr) {
        return answer("remoteAddress " + fd, 0);
    }
}
