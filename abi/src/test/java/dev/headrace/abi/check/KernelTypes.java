package dev.headrace.abi.check;

import dev.headrace.abi.check.Claim.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The running kernel's type information, BTF: its enumerators, and its structs with the places of their members. The
 * format is described in the kernel's Documentation/bpf/btf.rst: a header, then one record for each type, then the
 * names.
 */
final class KernelTypes implements Source {
    static final Path FILE = Path.of("/sys/kernel/btf/vmlinux");

    private static final int MAGIC = 0xeb9f;
    private static final int RECORD_BYTES = 12;
    private static final int DEPTH_MAX = 16;

    private static final int INT = 1;
    private static final int PTR = 2;
    private static final int ARRAY = 3;
    private static final int STRUCT = 4;
    private static final int UNION = 5;
    private static final int ENUM = 6;
    private static final int TYPEDEF = 8;
    private static final int VOLATILE = 9;
    private static final int CONST = 10;
    private static final int RESTRICT = 11;
    private static final int FUNC_PROTO = 13;
    private static final int VAR = 14;
    private static final int DATASEC = 15;
    private static final int DECL_TAG = 17;
    private static final int TYPE_TAG = 18;
    private static final int ENUM64 = 19;

    private final ByteBuffer data;
    private final int namesStart;
    private int[] recordStart = new int[1 << 16];
    private int types = 1; // type 0 is void
    private final Map<String, List<Long>> enumerators = new HashMap<>();
    private final Map<String, List<Integer>> structs = new HashMap<>();

    private KernelTypes(byte[] bytes) {
        data = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        if (Short.toUnsignedInt(data.getShort(0)) != MAGIC) {
            throw new IllegalArgumentException("not BTF");
        }
        int headerBytes = data.getInt(4);
        int start = headerBytes + data.getInt(8);
        int end = start + data.getInt(12);
        namesStart = headerBytes + data.getInt(16);
        int at = start;
        while (at < end) {
            at = record(at);
        }
    }

    static KernelTypes read(Path file) throws IOException {
        return new KernelTypes(Files.readAllBytes(file));
    }

    @Override
    public String name() {
        return "kernel type information";
    }

    @Override
    public Answer answer(Claim claim) {
        List<Long> numbers = new ArrayList<>();
        if (claim.isConstant()) {
            numbers.addAll(enumerators.getOrDefault(claim.name(), List.of()));
        } else if (claim.kernelName() != null) {
            for (int type : structs.getOrDefault(claim.kernelName(), List.of())) {
                number(claim, type).ifPresent(numbers::add);
            }
        }
        // a name may be used more than once in a kernel; one of its meanings must be the claimed one
        for (long number : numbers) {
            if (claim.equalTo(number)) {
                return Answer.CONFIRMED;
            }
        }
        return numbers.isEmpty() ? Answer.UNKNOWN : Answer.found(claim, numbers.getFirst());
    }

    private OptionalLong number(Claim claim, int type) {
        if (claim.kind() == Kind.SIZE) {
            // a macro that stands for an older size is not in the type information
            return claim.expression().startsWith("sizeof") ? OptionalLong.of(size(type)) : OptionalLong.empty();
        }
        String member = claim.member();
        Place place = member == null ? null : place(type, member);
        if (place == null) {
            return OptionalLong.empty();
        }
        return switch (claim.kind()) {
            case OFFSET -> OptionalLong.of(place.bit / Byte.SIZE);
            case WIDTH -> OptionalLong.of(size(place.type));
            case BIT_FIELD -> bitField(place, claim.word());
            case SIZE, CONSTANT -> throw new IllegalArgumentException(claim.toString());
        };
    }

    /** The mask of a bit field in the 64-bit word at {@code word}; empty if it lies in another word. */
    private static OptionalLong bitField(Place place, int word) {
        int bit = place.bit - word * Byte.SIZE;
        boolean inside = place.bits > 0 && bit >= 0 && bit + place.bits <= Long.SIZE;
        return OptionalLong.of(inside ? ((1L << place.bits) - 1) << bit : 0);
    }

    /** Where a member lies: its type, its first bit in the struct, and its bits if it is a bit field, else 0. */
    private record Place(int type, int bit, int bits) {}

    /** Finds a member by its path; anonymous structs and unions are looked through. */
    private @Nullable Place place(int struct, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return member(struct, path, 0);
        }
        Place outer = member(struct, path.substring(0, dot), 0);
        if (outer == null) {
            return null;
        }
        Place inner = place(resolve(outer.type), path.substring(dot + 1));
        return inner == null ? null : new Place(inner.type, outer.bit + inner.bit, inner.bits);
    }

    private @Nullable Place member(int struct, String name, int depth) {
        if (depth > DEPTH_MAX || (kind(struct) != STRUCT && kind(struct) != UNION)) {
            return null;
        }
        boolean withBits = data.getInt(recordStart[struct] + 4) < 0;
        int at = recordStart[struct] + RECORD_BYTES;
        for (int i = 0; i < count(struct); i++, at += 12) {
            int type = data.getInt(at + 4);
            int offset = data.getInt(at + 8);
            int bit = withBits ? offset & 0xffffff : offset;
            String memberName = text(data.getInt(at));
            if (memberName.equals(name)) {
                return new Place(type, bit, withBits ? offset >>> 24 : 0);
            }
            Place inner = memberName.isEmpty() ? member(resolve(type), name, depth + 1) : null;
            if (inner != null) {
                return new Place(inner.type, bit + inner.bit, inner.bits);
            }
        }
        return null;
    }

    private long size(int named) {
        int type = resolve(named);
        return switch (kind(type)) {
            case PTR -> Long.BYTES; // both architectures here are 64-bit ones
            case ARRAY -> {
                int at = recordStart[type] + RECORD_BYTES;
                yield size(data.getInt(at)) * Integer.toUnsignedLong(data.getInt(at + 8));
            }
            case INT, STRUCT, UNION, ENUM, ENUM64 -> Integer.toUnsignedLong(data.getInt(recordStart[type] + 8));
            default -> throw new IllegalStateException("no size for kind " + kind(type));
        };
    }

    /** The type behind names and qualifiers. */
    private int resolve(int type) {
        int at = type;
        for (int depth = 0; depth < DEPTH_MAX; depth++) {
            switch (kind(at)) {
                case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG -> at = data.getInt(recordStart[at] + 8);
                default -> {
                    return at;
                }
            }
        }
        throw new IllegalStateException("qualifiers nest too deeply");
    }

    private int kind(int type) {
        return type == 0 ? 0 : data.getInt(recordStart[type] + 4) >>> 24 & 0x1f;
    }

    private int count(int type) {
        return data.getInt(recordStart[type] + 4) & 0xffff;
    }

    private String text(int offset) {
        int start = namesStart + offset;
        int end = start;
        while (data.get(end) != 0) {
            end++;
        }
        return new String(data.array(), start, end - start, StandardCharsets.UTF_8);
    }

    /** Notes the type whose record begins at {@code at}, and gives the end of the record. */
    private int record(int at) {
        if (types == recordStart.length) {
            recordStart = Arrays.copyOf(recordStart, 2 * types);
        }
        int type = types++;
        recordStart[type] = at;
        int body = at + RECORD_BYTES;
        int count = count(type);
        switch (kind(type)) {
            case INT, VAR, DECL_TAG -> body += 4;
            case ARRAY -> body += 12;
            case FUNC_PROTO -> body += 8 * count;
            case DATASEC -> body += 12 * count;
            case STRUCT, UNION -> {
                structs.computeIfAbsent(text(data.getInt(at)), name -> new ArrayList<>())
                        .add(type);
                body += 12 * count;
            }
            case ENUM -> {
                boolean signed = data.getInt(at + 4) < 0;
                for (int i = 0; i < count; i++, body += 8) {
                    int value = data.getInt(body + 4);
                    note(body, signed ? value : Integer.toUnsignedLong(value));
                }
            }
            case ENUM64 -> {
                for (int i = 0; i < count; i++, body += 12) {
                    note(body, Integer.toUnsignedLong(data.getInt(body + 4)) | (long) data.getInt(body + 8) << 32);
                }
            }
            default -> {
                // the other kinds have no body
            }
        }
        return body;
    }

    private void note(int at, long value) {
        enumerators
                .computeIfAbsent(text(data.getInt(at)), name -> new ArrayList<>())
                .add(value);
    }
}
