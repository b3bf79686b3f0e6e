package dev.headrace.abi.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds out by trying which bytes the accessors of a layout's field touch. */
final class Accessors {
    private static final int ROOM = 512;
    private static final long PATTERN = 0x0123456789abcdefL;

    private Accessors() {}

    /**
     * How many bytes the accessors of a field read and write, 0 if it has none. They must begin at the offset that the
     * field holds, and read back what they wrote.
     */
    static int width(Field offset) {
        String name = camelCase(offset.getName());
        Class<?> type = offset.getDeclaringClass();
        Method setter = method(type, name, 2);
        Method getter = method(type, name, 1);
        if (setter == null || getter == null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(ROOM, 8);
            int start = ((Number) offset.get(null)).intValue();
            set(setter, room, -1);
            int width = ROOM;
            while (width > 0 && room.get(ValueLayout.JAVA_BYTE, width - 1) == 0) {
                width--;
            }
            width -= start;
            for (int i = 0; i < ROOM; i++) {
                int expected = i >= start && i < start + width ? -1 : 0;
                require(room.get(ValueLayout.JAVA_BYTE, i) == expected, offset, "its setter touches byte " + i);
            }
            set(setter, room, PATTERN);
            long mask = width == 8 ? -1 : (1L << (8 * width)) - 1;
            long read = ((Number) getter.invoke(null, room.address())).longValue();
            require((read & mask) == (PATTERN & mask), offset, "its getter does not read what its setter wrote");
            require(width >= 4 || read == (PATTERN & mask), offset, "its getter extends the sign of an unsigned field");
            return width;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(offset.toString(), e);
        }
    }

    private static void set(Method setter, MemorySegment room, long value) throws ReflectiveOperationException {
        if (setter.getParameterTypes()[1] == int.class) {
            setter.invoke(null, room.address(), (int) value);
        } else {
            setter.invoke(null, room.address(), value);
        }
    }

    private static @Nullable Method method(Class<?> type, String name, int parameters) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == parameters)
                .filter(method -> method.getParameterTypes()[0] == long.class)
                .findFirst()
                .orElse(null);
    }

    private static String camelCase(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }

    private static void require(boolean holds, Field offset, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(
                    offset.getDeclaringClass().getSimpleName() + "." + offset.getName() + ": " + otherwise);
        }
    }
}
