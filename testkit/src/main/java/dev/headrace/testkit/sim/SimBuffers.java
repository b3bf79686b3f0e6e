package dev.headrace.testkit.sim;

import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.IoUringBuf;
import dev.headrace.abi.linux.IoUringBufReg;
import dev.headrace.abi.linux.IoUringBufRing;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that a simulated ring may receive into: those of a registered ring of buffers, or those offered by requests.
 *
 * <p>Thread: the simulation's. Owns: nothing; the memory is the driver's.
 */
final class SimBuffers {
    /** A buffer that was chosen. */
    record Chosen(int id, long address, int length) {}

    private final ArrayDeque<Chosen> offered = new ArrayDeque<>();
    private long array;
    private int entries;
    private short head;
    private short tailSeen;
    private long published;

    /** Takes over a ring of buffers as {@code IORING_REGISTER_PBUF_RING} does. */
    void register(long registration) {
        array = IoUringBufReg.ringAddr(registration);
        entries = IoUringBufReg.ringEntries(registration);
    }

    void unregister() {
        array = 0;
    }

    void offer(int id, long address, int length) {
        if (offered.stream().anyMatch(other -> other.id == id)) {
            throw new Violation(Violation.Rule.LENT_MEMORY, "buffer " + id + " was offered twice");
        }
        offered.add(new Chosen(id, address, length));
        published++;
    }

    /** An offer was refused: its buffer is free again. */
    void refused() {
        published++;
    }

    /** How many buffers were ever made available, or came back because they were not taken. */
    long published() {
        if (array != 0) {
            short tail = Memory.getShortAcquire(array + IoUringBufRing.TAIL);
            published += (short) (tail - tailSeen) & 0xffff;
            tailSeen = tail;
        }
        return published;
    }

    /** The next buffer, which the kernel uses up; null when there is none. */
    @Nullable
    Chosen choose() {
        if (array == 0) {
            return offered.poll();
        }
        published();
        int available = (tailSeen - head) & 0xffff;
        if (available == 0) {
            return null;
        }
        if (available > entries) {
            throw new Violation(Violation.Rule.LENT_MEMORY, available + " buffers in a ring of " + entries);
        }
        Chosen chosen = at(head);
        for (int i = 1; i < available; i++) {
            if (at(head + i).id == chosen.id) {
                throw new Violation(Violation.Rule.LENT_MEMORY, "buffer " + chosen.id + " was published twice");
            }
        }
        head++;
        return chosen;
    }

    private Chosen at(int position) {
        long entry = array + (long) (position & (entries - 1)) * IoUringBuf.SIZE;
        return new Chosen(IoUringBuf.bid(entry) & 0xffff, IoUringBuf.addr(entry), IoUringBuf.len(entry));
    }

    /** A buffer for which there was no byte stays where it was. */
    void putBack(Chosen chosen) {
        if (array == 0) {
            offered.addFirst(chosen);
        } else {
            head--;
        }
    }
}
