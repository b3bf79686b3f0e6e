package dev.headrace.engine.uring;

import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringSqe;
import dev.headrace.engine.buffer.BufferPool;
import java.util.BitSet;

/**
 * Slices offered one request each, by PROVIDE_BUFFERS (Linux 5.7): for kernels without rings of buffers. What it costs
 * beside {@link BufferRing} is one submission for each slice.
 *
 * <p>Thread: the ring's. Owns: each slice on offer until it is named.
 */
final class BufferRequests implements BufferSupply {
    /** The user data of the offer of slice {@code id} is this minus the id; slots never give such numbers. */
    private static final long OFFER = -3L;

    private static final long OFFER_MIN = OFFER - BufferPool.COUNT_MAX + 1;

    private final BufferPool pool;
    private final int offeredMax;
    private final boolean skippedCompletions;
    private final BitSet offered;
    private int offeredCount;

    BufferRequests(BufferPool pool, int offeredMax, boolean skippedCompletions) {
        this.pool = pool;
        this.offeredMax = offeredMax;
        this.skippedCompletions = skippedCompletions;
        this.offered = new BitSet(pool.count());
    }

    /** Whether a completion with that user data answers an offer. */
    static boolean offer(long userData) {
        return userData <= OFFER && userData >= OFFER_MIN;
    }

    /** The slice whose offer has that user data. */
    static int id(long userData) {
        return (int) (OFFER - userData);
    }

    @Override
    public void topUp(SubmissionQueue submissions) {
        while (offeredCount < offeredMax && !submissions.full()) {
            int id = pool.lend();
            if (id < 0) {
                return;
            }
            offered.set(id);
            offeredCount++;
            long sqe = submissions.take();
            IoUringSqe.opcode(sqe, IoUring.IORING_OP_PROVIDE_BUFFERS);
            // The number of buffers lies in the field of the descriptor, the first id in that of the offset.
            IoUringSqe.fd(sqe, 1);
            IoUringSqe.addr(sqe, pool.address(id));
            IoUringSqe.len(sqe, pool.sizeBytes());
            IoUringSqe.off(sqe, id);
            IoUringSqe.bufGroup(sqe, GROUP);
            IoUringSqe.flags(sqe, skippedCompletions ? IoUring.IOSQE_CQE_SKIP_SUCCESS : 0);
            IoUringSqe.userData(sqe, OFFER - id);
        }
    }

    /** Also when the kernel refused the offer. */
    @Override
    public void named(int id) {
        offered.clear(id);
        offeredCount--;
        pool.recovered();
    }

    /** The kernel forgets them with the ring; until then it touches none, for no receive is armed. */
    @Override
    public void close() {
        offered.stream().forEach(id -> {
            pool.recovered();
            pool.give(id);
        });
        offered.clear();
        offeredCount = 0;
    }
}
