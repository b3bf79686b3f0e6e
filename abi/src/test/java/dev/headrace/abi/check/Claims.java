package dev.headrace.abi.check;

import dev.headrace.abi.Architecture;
import dev.headrace.abi.CBits;
import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Header;
import dev.headrace.abi.PerArchitecture;
import dev.headrace.abi.Since;
import dev.headrace.abi.check.Claim.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads by reflection what the classes of constants and layouts claim. A number that names no C origin is an error. */
final class Claims {
    private final Architecture architecture;
    private final List<Claim> claims = new ArrayList<>();

    private Claims(Architecture architecture) {
        this.architecture = architecture;
    }

    /** Everything that the classes claim for an architecture. */
    static List<Claim> of(Architecture architecture, List<Class<?>> classes) {
        Claims collector = new Claims(architecture);
        classes.forEach(collector::add);
        return List.copyOf(collector.claims);
    }

    /** The classes of constants and layouts beside {@code neighbour}, in the order of their names. */
    static List<Class<?>> classesBeside(Class<?> neighbour) {
        String folder = "/" + neighbour.getPackageName().replace('.', '/');
        try {
            URI origin = neighbour
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
            Path path = Path.of(origin);
            if (Files.isDirectory(path)) {
                return annotated(path.resolve(folder.substring(1)), neighbour);
            }
            try (FileSystem jar = FileSystems.newFileSystem(path, Map.of())) {
                return annotated(jar.getPath(folder), neighbour);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Class<?>> annotated(Path folder, Class<?> neighbour) throws IOException {
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name ->
                            name.endsWith(".class") && !name.contains("$") && !name.equals("package-info.class"))
                    .sorted()
                    .toList();
            for (String name : names) {
                Class<?> type = Class.forName(
                        neighbour.getPackageName() + "." + name.substring(0, name.length() - ".class".length()));
                if (type.isAnnotationPresent(Header.class) || type.isAnnotationPresent(CStruct.class)) {
                    found.add(type);
                } else if (!numbers(type).isEmpty()) {
                    throw new IllegalStateException(type + " has constants but names no C origin");
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        return found;
    }

    private void add(Class<?> type) {
        Header header = type.getAnnotation(Header.class);
        CStruct struct = type.getAnnotation(CStruct.class);
        if (header != null) {
            for (Field field : numbers(type)) {
                claims.add(constant(field, List.of(header.value())));
            }
        } else if (struct != null) {
            addLayout(type, struct);
        } else {
            throw new IllegalStateException(type + " names no C origin");
        }
    }

    private Claim constant(Field field, List<String> headers) {
        String name = field.getName();
        return new Claim(
                key(field),
                Kind.CONSTANT,
                name,
                null,
                null,
                0,
                name,
                headers,
                value(field),
                bits(field),
                since(field),
                field.isAnnotationPresent(PerArchitecture.class));
    }

    private void addLayout(Class<?> type, CStruct struct) {
        Set<String> words = new HashSet<>();
        for (Field field : numbers(type)) {
            CBits mask = field.getAnnotation(CBits.class);
            if (mask != null) {
                words.add(mask.word());
            }
        }
        for (Field field : numbers(type)) {
            CField offset = field.getAnnotation(CField.class);
            CBits mask = field.getAnnotation(CBits.class);
            if (field.getName().equals("SIZE")) {
                String size = struct.size().isEmpty() ? "sizeof(" + struct.value() + ")" : struct.size();
                claims.add(layout(struct, field, "", Kind.SIZE, null, 0, size, value(field)));
            } else if (offset != null) {
                addMembers(struct, field, offset);
            } else if (mask != null) {
                int word = (int) value(field(type, mask.word()));
                claims.add(layout(struct, field, "", Kind.BIT_FIELD, mask.value(), word, "", value(field)));
            } else if (!words.contains(field.getName())) {
                throw new IllegalStateException(field + " names no C origin");
            }
        }
    }

    private void addMembers(CStruct struct, Field field, CField offset) {
        int width = Accessors.width(field);
        for (String member : offset.value()) {
            String suffix = offset.value().length > 1 ? " as " + member : "";
            String in = struct.value() + ", " + member + ")";
            claims.add(layout(struct, field, suffix, Kind.OFFSET, member, 0, "offsetof(" + in, value(field)));
            if (width > 0) {
                String of = "sizeof(((" + struct.value() + " *) 0)->" + member + ")";
                claims.add(layout(struct, field, suffix + " width", Kind.WIDTH, member, 0, of, width));
            }
        }
    }

    private Claim layout(
            CStruct struct,
            Field field,
            String suffix,
            Kind kind,
            @Nullable String member,
            int word,
            String expression,
            long value) {
        String plain = struct.value().replaceFirst("^(struct|union) ", "");
        String kernelName = struct.kernel().isEmpty() ? plain : struct.kernel();
        return new Claim(
                key(field) + suffix,
                kind,
                struct.value(),
                kernelName.equals("-") ? null : kernelName,
                member,
                word,
                expression,
                Arrays.asList(struct.header()),
                value,
                kind == Kind.BIT_FIELD ? 64 : 32,
                since(field),
                field.isAnnotationPresent(PerArchitecture.class));
    }

    private long value(Field field) {
        PerArchitecture choice = field.getAnnotation(PerArchitecture.class);
        try {
            if (choice == null) {
                return ((Number) field.get(null)).longValue();
            }
            Number number = (Number) field.getDeclaringClass()
                    .getMethod(choice.value(), Architecture.class)
                    .invoke(null, architecture);
            return number.longValue();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(field.toString(), e);
        }
    }

    private static Field field(Class<?> type, String name) {
        try {
            return type.getField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Field> numbers(Class<?> type) {
        return Stream.of(type.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && Modifier.isPublic(field.getModifiers()))
                .filter(field -> field.getType() == int.class || field.getType() == long.class)
                .toList();
    }

    private static String key(Field field) {
        return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }

    private static int bits(Field field) {
        return field.getType() == int.class ? 32 : 64;
    }

    private static @Nullable String since(Field field) {
        Since own = field.getAnnotation(Since.class);
        Since common = field.getDeclaringClass().getAnnotation(Since.class);
        return own != null ? own.value() : common != null ? common.value() : null;
    }
}
