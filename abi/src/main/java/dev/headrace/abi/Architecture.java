package dev.headrace.abi;

/**
 * The processor architectures whose kernel interface is known here.
 *
 * <p>Thread: any; immutable.
 */
public enum Architecture {
    /** AMD64 and Intel 64. */
    X86_64,
    /** 64-bit Arm, little-endian. */
    AARCH64,
    /** Anything else: nothing here was checked for it, and asking for its values is refused. */
    OTHER;

    /** The architecture this process runs on. */
    public static final Architecture CURRENT = named(System.getProperty("os.arch", ""));

    /** The architecture that the JDK calls {@code osArch} in its property {@code os.arch}. */
    public static Architecture named(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> OTHER;
        };
    }

    /** The value for this architecture out of the two known ones. */
    public int pick(int x8664, int aarch64) {
        return switch (this) {
            case X86_64 -> x8664;
            case AARCH64 -> aarch64;
            case OTHER ->
                throw new UnsupportedOperationException("the kernel interface is known for x86-64 and aarch64 only, not"
                        + " for os.arch=" + System.getProperty("os.arch"));
        };
    }
}
