package dev.headrace.lab.race;

/** Says that a server of the race is out, and why. The race goes on without it. */
public final class ServerFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String server;

    ServerFailure(String server, String words) {
        super(words);
        this.server = server;
    }

    /** The name of the server. */
    public String server() {
        return server;
    }

    /** For example {@code netty-epoll was killed by signal 9}. */
    public String describe() {
        return server + " " + getMessage();
    }
}
