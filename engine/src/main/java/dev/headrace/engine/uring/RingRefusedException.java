package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import java.io.IOException;

/** The kernel refused a ring, or a step without which none is of use. */
public final class RingRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    public RingRefusedException(String attempted, int errno) {
        super(attempted + ": " + Errno.describe(errno));
        this.errno = errno;
    }

    int errno() {
        return errno;
    }
}
