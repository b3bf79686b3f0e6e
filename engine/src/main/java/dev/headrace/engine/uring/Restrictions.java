package dev.headrace.engine.uring;

import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringRestriction;
import java.lang.foreign.Arena;

/**
 * Limits a ring to what the engine asks of it (Linux 5.10), so that memory corruption elsewhere in the process cannot
 * open files through it. Set once, before the ring is enabled; request flags and later registrations must be listed too.
 *
 * <p>Thread: the ring's. Owns: nothing.
 */
final class Restrictions {
    private static final int[] OPERATIONS = {
        IoUring.IORING_OP_NOP,
        IoUring.IORING_OP_ACCEPT,
        IoUring.IORING_OP_CONNECT,
        IoUring.IORING_OP_RECV,
        IoUring.IORING_OP_SEND,
        IoUring.IORING_OP_SENDMSG,
        IoUring.IORING_OP_POLL_ADD,
        IoUring.IORING_OP_CLOSE,
        IoUring.IORING_OP_ASYNC_CANCEL,
        // The eventfd that wakes the loop.
        IoUring.IORING_OP_READ,
        IoUring.IORING_OP_PROVIDE_BUFFERS,
    };

    private static final int[] REGISTRATIONS = {
        IoUring.IORING_REGISTER_PBUF_RING,
        IoUring.IORING_UNREGISTER_PBUF_RING,
        IoUring.IORING_REGISTER_RING_FDS,
        IoUring.IORING_UNREGISTER_RING_FDS,
    };

    private static final int REQUEST_FLAGS = IoUring.IOSQE_BUFFER_SELECT | IoUring.IOSQE_CQE_SKIP_SUCCESS;

    private Restrictions() {}

    /** Registers the limits; 0 or a negative errno. */
    static int register(Ring ring) {
        int count = OPERATIONS.length + REGISTRATIONS.length + 1;
        try (Arena arena = Arena.ofConfined()) {
            long array =
                    arena.allocate((long) count * IoUringRestriction.SIZE, 8).address();
            long next = array;
            for (int operation : OPERATIONS) {
                IoUringRestriction.opcode(next, IoUring.IORING_RESTRICTION_SQE_OP);
                IoUringRestriction.sqeOp(next, operation);
                next += IoUringRestriction.SIZE;
            }
            for (int registration : REGISTRATIONS) {
                IoUringRestriction.opcode(next, IoUring.IORING_RESTRICTION_REGISTER_OP);
                IoUringRestriction.registerOp(next, registration);
                next += IoUringRestriction.SIZE;
            }
            IoUringRestriction.opcode(next, IoUring.IORING_RESTRICTION_SQE_FLAGS_ALLOWED);
            IoUringRestriction.sqeFlags(next, REQUEST_FLAGS);
            return ring.register(IoUring.IORING_REGISTER_RESTRICTIONS, array, count);
        }
    }
}
