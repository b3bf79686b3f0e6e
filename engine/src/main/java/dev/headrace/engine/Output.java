package dev.headrace.engine;

import dev.headrace.abi.Memory;
import dev.headrace.engine.buffer.Buffer;
import dev.headrace.engine.buffer.BufferPool;
import dev.headrace.engine.counter.Counter;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.OperationOwner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a connection has written and the kernel has not taken yet, in order.
 *
 * <p>The queue is a list of prepared sends. One send is in flight at a time, since two could be carried out in either
 * order: the one that waits alone goes as it is, several go together as one gathering send. Small writes are copied
 * behind the last one where its slice has room, so what a turn writes leaves as one send.
 *
 * <p>Thread: the loop's. Owns: a lease on each buffer in the queue.
 */
final class Output implements OperationOwner {
    /** Copying so many bytes costs less than one more part of a gathering send. */
    private static final int COPIED_BYTES_MAX = 2048;

    private final Connection connection;
    private @Nullable Operation first;
    private @Nullable Operation last;
    private @Nullable Operation sending;
    /** How many of the queued parts, from the first on, the gathering send in flight covers. */
    private int gathered;

    private int queued;
    /** Queued parts that hold a received buffer, which nobody can receive into meanwhile. */
    private int held;

    private long pendingBytes;
    /** The last send was not taken whole at once: the next waits for room instead of trying. */
    private boolean congested;

    Output(Connection connection) {
        this.connection = connection;
    }

    long pendingBytes() {
        return pendingBytes;
    }

    /** Received buffers in the queue; written bytes lie in slices of their own. */
    int buffersHeld() {
        return held;
    }

    boolean empty() {
        return pendingBytes == 0;
    }

    boolean sending() {
        return sending != null;
    }

    /** Takes all of a buffer, by reference or, when small, by copy. */
    void append(Buffer data) {
        int length = data.length();
        if (length == 0) {
            return;
        }
        if (length <= COPIED_BYTES_MAX && roomBehindLast() >= length) {
            extendLast(data.address(), length);
        } else {
            enqueue(data.address(), length, data.retain());
            held++;
        }
        pendingBytes += length;
    }

    /**
     * Copies bytes, up to the high watermark or until the loop's output buffers are used up.
     *
     * @return how many were taken
     */
    int append(long address, long bytes) {
        int wanted = allowed(bytes);
        int taken = 0;
        for (int room = room(wanted); room > 0; room = room(wanted - taken)) {
            int part = Math.min(room, wanted - taken);
            extendLast(address + taken, part);
            taken += part;
        }
        pendingBytes += taken;
        return taken;
    }

    /** As {@link #append(long, long)}, from an array. */
    int append(byte[] data, int offset, int length) {
        int wanted = allowed(length);
        int taken = 0;
        for (int room = room(wanted); room > 0; room = room(wanted - taken)) {
            int part = Math.min(room, wanted - taken);
            Operation tail = Objects.requireNonNull(last);
            Memory.copy(data, offset + taken, tail.address() + tail.length(), part);
            tail.extend(part);
            taken += part;
        }
        pendingBytes += taken;
        return taken;
    }

    private int allowed(long bytes) {
        return (int) Math.min(bytes, Math.max(0, connection.loop().options().highWatermarkBytes() - pendingBytes));
    }

    /** Room behind the last part, on a fresh slice if need be; 0 when nothing is wanted or no slice is left. */
    private int room(int wanted) {
        if (wanted == 0) {
            return 0;
        }
        int room = roomBehindLast();
        return room > 0 ? room : openSlice();
    }

    /** Appends an empty part on a fresh slice; tells its room, 0 when there is no slice. */
    private int openSlice() {
        BufferPool pool = connection.loop().outputPool();
        int id = pool.take();
        if (id < 0) {
            return 0;
        }
        Buffer slice = pool.lease(id, 0);
        enqueue(slice.address(), 0, slice);
        return pool.sizeBytes();
    }

    private int roomBehindLast() {
        Operation tail = last;
        if (tail == null || gathered == queued || !(tail.keeper() instanceof Buffer slice) || !slice.heldOnce()) {
            return 0;
        }
        return (int) (slice.sliceEnd() - tail.address() - tail.length());
    }

    private void extendLast(long address, int bytes) {
        Operation tail = Objects.requireNonNull(last);
        Memory.copy(address, tail.address() + tail.length(), bytes);
        tail.extend(bytes);
    }

    private void enqueue(long address, int length, Buffer keeper) {
        Operation part =
                connection.loop().operations().borrow(this).prepareSend(connection.fd(), address, length, keeper);
        if (last == null) {
            first = part;
        } else {
            last.next = part;
        }
        last = part;
        queued++;
    }

    /**
     * Stages a send of what is queued, unless one is in flight.
     *
     * @param awaited whether somebody waits for the end of it
     */
    void flush(boolean awaited) {
        if (sending != null || first == null) {
            return;
        }
        Operation send = queued == 1 ? dequeue() : gather();
        sending = send;
        if (!awaited && !congested && queued == gathered) {
            send.quietly();
            connection.loop().stagedQuietly();
        }
        congested = false;
        connection.loop().driver().stage(send);
    }

    private Operation dequeue() {
        Operation part = Objects.requireNonNull(first);
        first = part.next;
        part.next = null;
        if (first == null) {
            last = null;
        }
        queued--;
        return part;
    }

    private Operation gather() {
        GatherBlock block = connection.loop().borrowBlock();
        for (Operation part = first; part != null && block.parts() < GatherBlock.PARTS_MAX; part = part.next) {
            block.add(part.address(), part.length());
        }
        gathered = block.parts();
        return connection
                .loop()
                .operations()
                .borrow(this)
                .prepareSendGather(connection.fd(), block.header(), block.totalBytes(), block);
    }

    @Override
    public void completed(Operation operation, int result, boolean more, int bufferId) {
        assert operation == sending;
        sending = null;
        congested = result < operation.length();
        if (operation.keeper() instanceof GatherBlock block) {
            operation.clearKeeper();
            connection.loop().giveBackBlock(block);
            connection.loop().operations().giveBack(operation);
            sentGathered(Math.max(0, result));
        } else {
            sentAlone(operation, Math.max(0, result));
        }
        if (result > 0) {
            pendingBytes -= result;
            connection.loop().counters().add(Counter.BYTES_SENT, result);
        }
        connection.sent(result);
    }

    private void sentAlone(Operation part, int bytes) {
        if (bytes == part.length()) {
            drop(part);
            return;
        }
        part.advance(bytes);
        part.next = first;
        first = part;
        if (last == null) {
            last = part;
        }
        queued++;
    }

    private void sentGathered(int bytes) {
        gathered = 0;
        int left = bytes;
        for (int i = 0; i < GatherBlock.PARTS_MAX && first != null && left >= first.length(); i++) {
            left -= first.length();
            drop(dequeue());
        }
        if (left > 0) {
            Objects.requireNonNull(first).advance(left);
        }
    }

    private void drop(Operation part) {
        if (part.clearKeeper() instanceof Buffer buffer) {
            if (!buffer.isOf(connection.loop().outputPool())) {
                held--;
            }
            buffer.release();
        }
        connection.loop().operations().giveBack(part);
    }

    /** Asks for the end of the send in flight, which then tells how many bytes it got rid of; false when there is none. */
    boolean interrupt() {
        Operation inFlight = sending;
        if (inFlight != null) {
            connection.loop().driver().cancel(inFlight);
        }
        return inFlight != null;
    }

    /** Forgets what is not in flight and asks for the end of what is. */
    void abandon() {
        interrupt();
        if (gathered == 0) {
            dropQueued();
        }
    }

    /** After {@link #abandon} and the end of the send in flight: what it covered is ours again. */
    void dropQueued() {
        while (first != null) {
            drop(dequeue());
        }
        pendingBytes = sending == null ? 0 : pendingBytes;
    }
}
