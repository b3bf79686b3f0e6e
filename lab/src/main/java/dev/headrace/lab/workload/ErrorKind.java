package dev.headrace.lab.workload;

import java.util.Locale;

/** The ways in which a connection of a load can fail. */
public enum ErrorKind {
    /** The connection could not be made. */
    CONNECT,
    /** The peer closed or reset it while answers were due. */
    READ,
    /** It failed with output pending. */
    WRITE,
    /** An answer, or the connection itself, did not come in time. */
    TIMEOUT,
    /** The answer was not what was sent, or there was more of it. */
    CONTENT;

    /** The name as it is printed. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
