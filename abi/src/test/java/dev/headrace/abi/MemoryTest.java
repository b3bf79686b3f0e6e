package dev.headrace.abi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryTest {
    private static final int BYTES = 64;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment room = arena.allocate(BYTES, 8);
    private final long at = room.address();

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void plainAccessesReachTheBytesAlsoUnaligned() {
        Memory.putByte(at, (byte) 0x81);
        Memory.putShort(at + 1, (short) 0x8283);
        Memory.putInt(at + 3, 0x84858687);
        Memory.putLong(at + 7, 0x88898a8b8c8d8e8fL);
        assertEquals((byte) 0x81, Memory.getByte(at));
        assertEquals((short) 0x8283, Memory.getShort(at + 1));
        assertEquals(0x84858687, Memory.getInt(at + 3));
        assertEquals(0x88898a8b8c8d8e8fL, Memory.getLong(at + 7));
        assertEquals((byte) 0x81, room.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals((short) 0x8283, room.get(ValueLayout.JAVA_SHORT_UNALIGNED, 1));
        assertEquals(0x84858687, room.get(ValueLayout.JAVA_INT_UNALIGNED, 3));
        assertEquals(0x88898a8b8c8d8e8fL, room.get(ValueLayout.JAVA_LONG_UNALIGNED, 7));
        assertEquals(0, room.get(ValueLayout.JAVA_BYTE, 15));
    }

    @Test
    void orderedAccessesReachTheBytes() {
        Memory.putShortRelease(at, (short) 0x8182);
        Memory.putIntRelease(at + 4, 0x83848586);
        Memory.putLongRelease(at + 8, 0x8788898a8b8c8d8eL);
        Memory.putIntVolatile(at + 16, 0x8f909192);
        assertEquals((short) 0x8182, Memory.getShortAcquire(at));
        assertEquals(0x83848586, Memory.getIntAcquire(at + 4));
        assertEquals(0x8788898a8b8c8d8eL, Memory.getLongAcquire(at + 8));
        assertEquals(0x8f909192, Memory.getIntVolatile(at + 16));
        assertEquals((short) 0x8182, Memory.getShort(at));
        assertEquals(0x83848586, Memory.getInt(at + 4));
        assertEquals(0x8788898a8b8c8d8eL, Memory.getLong(at + 8));
        assertEquals(0x8f909192, Memory.getInt(at + 16));
    }

    @Test
    void copiesBetweenArraysAndMemory() {
        byte[] text = "..headrace..".getBytes(StandardCharsets.US_ASCII);
        Memory.copy(text, 2, at, 8);
        Memory.copy(at, at + 20, 8);
        byte[] back = new byte[10];
        Memory.copy(at + 20, back, 1, 8);
        assertArrayEquals("\0headrace\0".getBytes(StandardCharsets.US_ASCII), back);
        assertEquals(0, Memory.getByte(at + 8));
    }

    @Test
    void overlappingCopiesKeepTheContent() {
        Memory.copy("abcdef".getBytes(StandardCharsets.US_ASCII), 0, at, 6);
        Memory.copy(at, at + 2, 6);
        byte[] back = new byte[8];
        Memory.copy(at, back, 0, 8);
        assertArrayEquals("ababcdef".getBytes(StandardCharsets.US_ASCII), back);
    }

    @Test
    void fillsExactlyTheRegion() {
        Memory.fill(at + 1, 3, (byte) 7);
        assertEquals(0x07070700, Memory.getInt(at));
        assertEquals(0, Memory.getByte(at + 4));
    }

    @Test
    void mismatchTellsTheFirstDifference() {
        Memory.fill(at, 16, (byte) 7);
        assertEquals(-1, Memory.mismatch(at, at + 8, 8));
        Memory.putByte(at + 8 + 5, (byte) 8);
        assertEquals(5, Memory.mismatch(at, at + 8, 8));
    }

    @Test
    void segmentIsAView() {
        Memory.segment(at + 8, 8).set(ValueLayout.JAVA_LONG, 0, 42);
        assertEquals(42, Memory.getLong(at + 8));
        assertEquals(8, Memory.segment(at + 8, 8).byteSize());
    }
}
