package dev.headrace.soak;

import dev.headrace.engine.Connection;
import dev.headrace.engine.ConnectionHandler;
import dev.headrace.engine.buffer.Buffer;
import java.util.concurrent.TimeUnit;

/** The server's end of a visit: its first byte says what is done with the bytes that come. */
final class Resident implements ConnectionHandler {
    static final byte ECHO = 'e';
    static final byte RETAIN = 'r';
    static final byte PAUSE = 'p';
    static final byte ABORT = 'a';

    private static final long LATER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private byte manner;

    @Override
    public void received(Connection connection, Buffer data) {
        if (manner == 0) {
            manner = data.get(0);
        }
        switch (manner) {
            case RETAIN -> holdForAWhile(connection, data);
            case PAUSE -> pauseForAWhile(connection, data);
            case ABORT -> connection.abort();
            default -> connection.write(data);
        }
    }

    private static void holdForAWhile(Connection connection, Buffer data) {
        data.retain();
        connection.loop().schedule(LATER_NANOS, () -> {
            if (connection.open()) {
                connection.write(data);
            }
            data.release();
        });
    }

    private static void pauseForAWhile(Connection connection, Buffer data) {
        connection.write(data);
        connection.pauseReading();
        connection.loop().schedule(LATER_NANOS, connection::resumeReading);
    }
}
