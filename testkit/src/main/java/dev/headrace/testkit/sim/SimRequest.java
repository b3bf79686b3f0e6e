package dev.headrace.testkit.sim;

import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringSqe;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request that a simulated ring has taken off its submission queue, until its last completion.
 *
 * <p>What it sends from belongs to the kernel meanwhile: the bytes are noted when it is taken and must be the same at its end.
 *
 * <p>Thread: the simulation's.
 */
final class SimRequest {
    final int opcode;
    final int fd;
    final long address;
    final int length;
    final long offset;
    final int opFlags;
    final int priority;
    final int flags;
    final int group;
    final long userData;
    /** What it is about; held until the request has ended. */
    final @Nullable SimFile file;
    /** Bytes sent so far. */
    int done;
    /** It has been told to look again. */
    boolean queued;

    boolean ended;
    private byte @Nullable [] lent;

    SimRequest(long sqe, @Nullable SimFile file) {
        this.opcode = IoUringSqe.opcode(sqe);
        this.fd = IoUringSqe.fd(sqe);
        this.address = IoUringSqe.addr(sqe);
        this.length = IoUringSqe.len(sqe);
        this.offset = IoUringSqe.off(sqe);
        this.opFlags = IoUringSqe.opFlags(sqe);
        this.priority = IoUringSqe.ioprio(sqe);
        this.flags = IoUringSqe.flags(sqe);
        this.group = IoUringSqe.bufGroup(sqe);
        this.userData = IoUringSqe.userData(sqe);
        this.file = file;
        if (sends()) {
            lent = bytesToSend();
        }
    }

    boolean sends() {
        return opcode == IoUring.IORING_OP_SEND || opcode == IoUring.IORING_OP_SENDMSG;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** The bytes as they are in memory now. */
    byte[] bytesToSend() {
        return opcode == IoUring.IORING_OP_SEND ? SimSockets.bytes(address, length) : SimSockets.gathered(address);
    }

    /** At its end: nobody has touched what the kernel was lent. */
    void requireUntouched() {
        if (lent != null && !Arrays.equals(lent, bytesToSend())) {
            throw new Violation(
                    Violation.Rule.LENT_MEMORY, "bytes changed while a send of them was in flight: " + this);
        }
        lent = null;
    }

    @Override
    public String toString() {
        return "request " + opcode + " of fd " + fd + ", " + length + " bytes, user data " + Long.toHexString(userData);
    }
}
