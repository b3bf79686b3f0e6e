package dev.headrace.abi.linux;

import dev.headrace.abi.Header;
import dev.headrace.abi.Since;

/**
 * Constants of memory mappings, from sys/mman.h.
 */
@Header("sys/mman.h")
public final class Mman {
    public static final int PROT_NONE = 0;
    public static final int PROT_READ = 0x1;
    public static final int PROT_WRITE = 0x2;
    public static final int MAP_SHARED = 0x1;
    public static final int MAP_PRIVATE = 0x2;
    public static final int MAP_FIXED = 0x10;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_NORESERVE = 0x4000;
    public static final int MAP_POPULATE = 0x8000;
    public static final int MAP_HUGETLB = 0x40000;
    public static final int MADV_DONTNEED = 4;
    public static final int MADV_DONTFORK = 10;
    public static final int MADV_HUGEPAGE = 14;
    public static final int MADV_NOHUGEPAGE = 15;

    @Since("5.14")
    public static final int MADV_POPULATE_WRITE = 23;

    private Mman() {}
}
