package dev.headrace.difference;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.buffer.Buffer;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A handler that does as it is told and notes what it is told by the engine. */
final class Actor implements ConnectionHandler {
    private static final Pattern ERRNO = Pattern.compile("\\bE[A-Z0-9]{3,}\\b");
    private static final byte[] NOTHING = {};

    /** What a handler throws when it is told to; where that comes from is known. */
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;

        Planned() {
            super("as planned", null, false, false);
        }
    }

    private final boolean echoes;
    private final Trace.Log log;
    private final List<Buffer> retained = new ArrayList<>();
    private byte[] output = NOTHING;
    private int drains;
    private boolean retains;
    private boolean throwsNext;
    private volatile @Nullable Connection connection;
    private volatile int written;
    private volatile long received;
    private volatile int retainedCount;
    private volatile boolean inputEnded;
    private volatile boolean closed;

    Actor(boolean echoes, Trace.Log log) {
        this.echoes = echoes;
        this.log = log;
    }

    // ---- what the engine calls

    @Override
    public void opened(Connection opened) {
        log.add("opened");
        connection = opened;
    }

    @Override
    public void received(Connection from, Buffer data) {
        log.received(data.toArray());
        long before = received;
        received = before + data.length();
        if (throwsNext) {
            throw new Planned();
        }
        if (retains) {
            retained.add(data.retain());
            retainedCount = retained.size();
        }
        if (echoes) {
            from.write(data);
        }
    }

    @Override
    public void inputEnded(Connection from) {
        log.add("input ended");
        inputEnded = true;
        if (echoes) {
            from.close();
        }
    }

    @Override
    public void drained(Connection from) {
        drains++;
        pump(from);
    }

    @Override
    public void closed(Connection from, @Nullable Throwable cause) {
        log.add("closed: " + inWords(cause));
        closed = true;
    }

    /** The kind of the exception and the error code; not which of two calls met it. */
    static String inWords(@Nullable Throwable cause) {
        if (cause == null) {
            return "in order";
        }
        Matcher errno = ERRNO.matcher(String.valueOf(cause.getMessage()));
        String code = cause instanceof SocketException && errno.find() ? " " + errno.group() : "";
        return cause.getClass().getSimpleName() + code;
    }

    // ---- what the director tells, on the loop's thread

    void write(byte[] content) {
        output = content;
        written = 0;
        drains = 0;
        pump(connection());
    }

    private void pump(Connection to) {
        if (written < output.length && to.open()) {
            int from = written;
            written = from + to.write(output, from, output.length - from);
        }
    }

    /** Gives up what was not written yet. */
    int stopWriting() {
        output = NOTHING;
        return written;
    }

    int drains() {
        return drains;
    }

    void retain(boolean value) {
        retains = value;
    }

    /** Hands over what was retained. */
    List<Buffer> takeRetained() {
        List<Buffer> taken = List.copyOf(retained);
        retained.clear();
        retainedCount = 0;
        return taken;
    }

    void throwNext() {
        throwsNext = true;
    }

    // ---- what the director looks at

    Connection connection() {
        Connection present = connection;
        if (present == null) {
            throw new AssertionError("not opened");
        }
        return present;
    }

    Trace.Log log() {
        return log;
    }

    boolean echoes() {
        return echoes;
    }

    boolean opened() {
        return connection != null;
    }

    int written() {
        return written;
    }

    boolean wroteAll() {
        return written >= output.length;
    }

    long received() {
        return received;
    }

    int retainedCount() {
        return retainedCount;
    }

    boolean inputEnded() {
        return inputEnded;
    }

    boolean closed() {
        return closed;
    }
}
