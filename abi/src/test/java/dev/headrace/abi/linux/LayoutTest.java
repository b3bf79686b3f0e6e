package dev.headrace.abi.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.headrace.abi.Memory;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What layouts do beyond plain fields. */
class LayoutTest {
    @Test
    void clearingAnEntryZeroesAllOfItAndNoMore() {
        try (Arena arena = Arena.ofConfined()) {
            long sqe = arena.allocate(IoUringSqe.SIZE + 8, 8).address();
            long zero = arena.allocate(IoUringSqe.SIZE, 8).address();
            Memory.fill(sqe, IoUringSqe.SIZE + 8, (byte) -1);
            IoUringSqe.clear(sqe);
            assertEquals(-1, Memory.mismatch(sqe, zero, IoUringSqe.SIZE));
            assertEquals(-1, Memory.getLong(sqe + IoUringSqe.SIZE));
        }
    }

    @Test
    void portsAndAddressesAreInNetworkOrder() {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(SockaddrIn6.SIZE, 8).address();
            SockaddrIn.sinPort(address, 0x1234);
            SockaddrIn.sinAddr(address, 0x0a000102);
            assertEquals(0x12, Memory.getByte(address + SockaddrIn.SIN_PORT));
            assertEquals(0x34, Memory.getByte(address + SockaddrIn.SIN_PORT + 1));
            assertEquals(0x0a, Memory.getByte(address + SockaddrIn.SIN_ADDR));
            assertEquals(0x02, Memory.getByte(address + SockaddrIn.SIN_ADDR + 3));
            SockaddrIn6.sin6Port(address, 0xfffe);
            assertEquals(0xfffe, SockaddrIn6.sin6Port(address));
            assertEquals((byte) 0xff, Memory.getByte(address + SockaddrIn6.SIN6_PORT));
        }
    }

    @Test
    void aSetOfProcessorsHoldsWhatWasAdded() {
        try (Arena arena = Arena.ofConfined()) {
            long set = arena.allocate(CpuSet.SIZE, 8).address();
            CpuSet.set(set, 0);
            CpuSet.set(set, 65);
            CpuSet.set(set, CpuSet.CPUS - 1);
            for (int cpu = 0; cpu < CpuSet.CPUS; cpu++) {
                assertEquals(cpu == 0 || cpu == 65 || cpu == CpuSet.CPUS - 1, CpuSet.isSet(set, cpu));
            }
            CpuSet.clear(set);
            assertFalse(CpuSet.isSet(set, 65));
        }
    }

    @Test
    void aSetOfDescriptorsHoldsWhatWasAddedAndNotWhatWasTakenOut() {
        try (Arena arena = Arena.ofConfined()) {
            long set = arena.allocate(FdSet.SIZE, 8).address();
            FdSet.set(set, 0);
            FdSet.set(set, 63);
            FdSet.set(set, 64);
            FdSet.set(set, Select.FD_SETSIZE - 1);
            FdSet.clear(set, 63);
            for (int fd = 0; fd < Select.FD_SETSIZE; fd++) {
                assertEquals(fd == 0 || fd == 64 || fd == Select.FD_SETSIZE - 1, FdSet.isSet(set, fd));
            }
            assertEquals(1, FdSet.word(set, 0));
            assertEquals(1, FdSet.word(set, 1));
            assertEquals(1L << 63, FdSet.word(set, FdSet.SIZE / 8 - 1));
        }
    }

    @Test
    void ringsOfBuffersAreAddressed() {
        try (Arena arena = Arena.ofConfined()) {
            long ring = arena.allocate(4L * IoUringBuf.SIZE, 16).address();
            IoUringBufRing.tail(ring, 0xfffe);
            assertEquals(0xfffe, IoUringBufRing.tail(ring));
            long third = IoUringBufRing.buf(ring, 2);
            assertEquals(ring + 32, third);
            IoUringBuf.bid(ring, 3);
            IoUringBuf.len(ring, 4);
            IoUringBuf.addr(ring, 5);
            assertEquals(0xfffe, IoUringBufRing.tail(ring), "entry 0 does not disturb the tail");
            assertTrue(IoUringBufRing.buf(ring, 0) == ring);
        }
    }

    @Test
    void partsOfRingParametersAreAddressed() {
        assertEquals(140, IoUringParams.sqOff(100));
        assertEquals(180, IoUringParams.cqOff(100));
        assertEquals(132, IoUringProbe.op(100, 2));
    }
}
