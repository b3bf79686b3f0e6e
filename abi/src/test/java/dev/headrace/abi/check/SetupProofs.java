package dev.headrace.abi.check;

import static dev.headrace.abi.linux.IoUring.IORING_ENTER_REGISTERED_RING;
import static dev.headrace.abi.linux.IoUring.IORING_REGISTER_USE_REGISTERED_RING;
import static dev.headrace.abi.linux.IoUring.IORING_SETUP_CQE32;
import static dev.headrace.abi.linux.IoUring.IORING_SETUP_IOPOLL;
import static dev.headrace.abi.linux.IoUring.IORING_SETUP_NO_MMAP;
import static dev.headrace.abi.linux.IoUring.IORING_UNREGISTER_RING_FDS;

import dev.headrace.abi.Memory;
import dev.headrace.abi.Since;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoCqringOffsets;
import dev.headrace.abi.linux.IoSqringOffsets;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.IoUringParams;
import dev.headrace.abi.linux.IoUringRsrcUpdate;
import dev.headrace.abi.linux.Mman;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/** Proofs of the flags and features of io_uring_setup(2). */
final class SetupProofs {
    private static final long PAGE_BYTES = 64 * 1024; // the largest page of both architectures

    private final SystemCalls calls;

    SetupProofs(SystemCalls calls) {
        this.calls = calls;
    }

    Map<String, Proof> byName() {
        Map<String, Proof> proofs = new LinkedHashMap<>();
        proofs.put("IORING_SETUP_NO_MMAP", this::noMmap);
        proofs.put("IORING_SETUP_REGISTERED_FD_ONLY", this::registeredFdOnly);
        proofs.put("IORING_SETUP_NO_SQARRAY", this::noSqarray);
        proofs.put("IORING_SETUP_HYBRID_IOPOLL", this::hybridIopoll);
        proofs.put("IORING_SETUP_CQE_MIXED", this::cqeMixed);
        for (Field field : features()) {
            if (isAloneInRelease(field)) {
                proofs.put(field.getName(), value -> feature(since(field), value));
            }
        }
        return proofs;
    }

    /** The ring lies in the memory given, so its header, with the number of entries, appears there. */
    private boolean noMmap(long value) {
        return withMemory(memory -> {
            int fd = setupIn(memory, (int) value);
            if (fd < 0) {
                return false;
            }
            calls.close(fd);
            long cqOff = IoUringParams.cqOff(memory);
            int entries = Memory.getInt(memory + PAGE_BYTES + IoCqringOffsets.ringEntries(cqOff));
            return entries != 0 && entries == IoUringParams.cqEntries(memory);
        });
    }

    /** The answer is no descriptor but an index, by which the ring can be entered as a registered one. */
    private boolean registeredFdOnly(long value) {
        return withMemory(memory -> {
            int index = setupIn(memory, (int) value | IORING_SETUP_NO_MMAP);
            if (index < 0) {
                return false;
            }
            boolean entered = calls.ioUringEnter(index, 0, 0, IORING_ENTER_REGISTERED_RING, 0, 0) == 0;
            if (entered) {
                Memory.fill(memory, IoUringRsrcUpdate.SIZE, (byte) 0);
                IoUringRsrcUpdate.offset(memory, index);
                int opcode = IORING_UNREGISTER_RING_FDS | IORING_REGISTER_USE_REGISTERED_RING;
                calls.ioUringRegister(index, opcode, memory, 1);
            } else {
                calls.close(index);
            }
            return entered;
        });
    }

    /** Three pages: the parameters, the rings and the entries; the kernel uses the last two only if asked. */
    private int setupIn(long memory, int flags) {
        IoUringParams.flags(memory, flags);
        IoCqringOffsets.userAddr(IoUringParams.cqOff(memory), memory + PAGE_BYTES);
        IoSqringOffsets.userAddr(IoUringParams.sqOff(memory), memory + 2 * PAGE_BYTES);
        return calls.ioUringSetup(1, memory);
    }

    private boolean withMemory(LongPredicate proof) {
        int protection = Mman.PROT_READ | Mman.PROT_WRITE;
        int flags = Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS | Mman.MAP_POPULATE;
        long memory = calls.mmap(0, 3 * PAGE_BYTES, protection, flags, -1, 0);
        if (memory < 0) {
            throw new IllegalStateException("mmap: " + Errno.describe((int) memory));
        }
        try {
            return proof.test(memory);
        } finally {
            calls.munmap(memory, 3 * PAGE_BYTES);
        }
    }

    /** Without the array of indices there is no offset to tell for it. */
    private boolean noSqarray(long value) {
        return withParams(value, params -> IoSqringOffsets.array(IoUringParams.sqOff(params)) == 0);
    }

    /** Refused alone, accepted with IORING_SETUP_IOPOLL; no other flag is so. */
    private boolean hybridIopoll(long value) {
        return !withParams(value, params -> true) && withParams(value | IORING_SETUP_IOPOLL, params -> true);
    }

    /** Accepted alone, refused with IORING_SETUP_CQE32; no other flag is so. */
    private boolean cqeMixed(long value) {
        return withParams(value, params -> true)
                && withParams(IORING_SETUP_CQE32, params -> true)
                && !withParams(value | IORING_SETUP_CQE32, params -> true);
    }

    /**
     * The kernel has numbered the features one after the other as it got them: a feature's bit is the number of the
     * older ones, and the kernel must say that it has it. Where a release brought several, this proves nothing.
     */
    private boolean feature(KernelRelease since, long value) {
        return value == 1L << olderThan(since)
                && withParams(0, params -> (IoUringParams.features(params) & value) != 0);
    }

    private static long olderThan(KernelRelease since) {
        return features().stream()
                .filter(field -> since(field).compareTo(since) < 0)
                .count();
    }

    private static boolean isAloneInRelease(Field feature) {
        return features().stream()
                        .filter(field -> since(field).equals(since(feature)))
                        .count()
                == 1;
    }

    private static List<Field> features() {
        return Arrays.stream(IoUring.class.getFields())
                .filter(field -> field.getName().startsWith("IORING_FEAT_"))
                .toList();
    }

    private static KernelRelease since(Field field) {
        return KernelRelease.of(field.getAnnotation(Since.class).value());
    }

    /** Whether a ring can be had with the flags, and its parameters are as expected. */
    private boolean withParams(long flags, LongPredicate expected) {
        try (Arena arena = Arena.ofConfined()) {
            long params = arena.allocate(IoUringParams.SIZE, 8).address();
            IoUringParams.flags(params, (int) flags);
            int fd = calls.ioUringSetup(1, params);
            if (fd < 0) {
                return false;
            }
            calls.close(fd);
            return expected.test(params);
        }
    }
}
