package dev.headrace.refusal;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.Memory;
import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;

/**
 * A sandbox like that of a container: system calls that it names fail with an errno, all others pass. It holds for every
 * thread of this process, those that are there already included, and for good.
 */
final class SeccompFilter {
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    private static final int SECCOMP_FILTER_FLAG_TSYNC = 1;
    private static final int SECCOMP_RET_ALLOW = 0x7fff_0000;
    private static final int SECCOMP_RET_ERRNO = 0x0005_0000;

    /** Offsets in struct seccomp_data. */
    private static final int DATA_NR = 0;

    private static final int DATA_ARCH = 4;

    /** Instructions of the classic Berkeley packet filter. */
    private static final int LOAD_WORD = 0x20;

    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int RETURN = 0x06;

    private static final int FILTER_BYTES = 8;
    private static final int PROGRAM_BYTES = 16;

    private static final int NONE = -1;
    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("io_uring_setup", 425),
            Map.entry("io_uring_enter", 426),
            Map.entry("io_uring_register", 427),
            Map.entry("epoll_create1", Architecture.CURRENT.pick(291, 20)),
            Map.entry("epoll_create", Architecture.CURRENT.pick(213, NONE)),
            Map.entry("poll", Architecture.CURRENT.pick(7, NONE)),
            Map.entry("ppoll", Architecture.CURRENT.pick(271, 73)),
            Map.entry("select", Architecture.CURRENT.pick(23, NONE)),
            Map.entry("pselect6", Architecture.CURRENT.pick(270, 72)));

    private SeccompFilter() {}

    /**
     * Puts the filter in force.
     *
     * @param errno what the calls fail with
     * @param calls their names
     */
    static void refuse(int errno, List<String> calls) {
        int[] numbers = calls.stream()
                .mapToInt(NUMBERS::get)
                .filter(number -> number != NONE)
                .toArray();
        try (Arena arena = Arena.ofConfined()) {
            int length = numbers.length + 6;
            long filter =
                    arena.allocate((long) length * FILTER_BYTES, Long.BYTES).address();
            write(filter, numbers, errno);
            long program = arena.allocate(PROGRAM_BYTES, Long.BYTES).address();
            Memory.putShort(program, (short) length);
            Memory.putLong(program + Long.BYTES, filter);
            require("prctl", new SystemCalls().prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
            require("seccomp", seccomp(program));
        }
    }

    /** Another architecture's calls pass; of this one's, the named fail. */
    private static void write(long filter, int[] numbers, int errno) {
        int calls = numbers.length;
        instruction(filter, 0, LOAD_WORD, 0, DATA_ARCH);
        instruction(filter, 1, JUMP_IF_EQUAL, 1, Architecture.CURRENT.pick(0xc000_003e, 0xc000_00b7));
        instruction(filter, 2, RETURN, 0, SECCOMP_RET_ALLOW);
        instruction(filter, 3, LOAD_WORD, 0, DATA_NR);
        for (int i = 0; i < calls; i++) {
            instruction(filter, 4 + i, JUMP_IF_EQUAL, calls - i, numbers[i]);
        }
        instruction(filter, 4 + calls, RETURN, 0, SECCOMP_RET_ALLOW);
        instruction(filter, 5 + calls, RETURN, 0, SECCOMP_RET_ERRNO | errno);
    }

    private static void instruction(long filter, int index, int code, int jumpIfTrue, int operand) {
        long address = filter + (long) index * FILTER_BYTES;
        Memory.putShort(address, (short) code);
        Memory.putByte(address + 2, (byte) jumpIfTrue);
        Memory.putByte(address + 3, (byte) 0);
        Memory.putInt(address + 4, operand);
    }

    @SuppressWarnings("restricted") // needs --enable-native-access, as the engine does
    private static int seccomp(long program) {
        Linker linker = Linker.nativeLinker();
        MethodHandle call = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try {
            long number = Architecture.CURRENT.pick(317, 277);
            return (int) (long) call.invokeExact(number, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static void require(String call, int result) {
        if (result != 0) {
            throw new AssertionError(call + ": " + (result < -1 ? Errno.describe(-result) : "failed"));
        }
    }
}
