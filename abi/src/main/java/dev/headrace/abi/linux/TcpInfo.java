package dev.headrace.abi.linux;

import dev.headrace.abi.CField;
import dev.headrace.abi.CStruct;
import dev.headrace.abi.Memory;

/**
 * The beginning of what the kernel tells about a TCP connection ({@link Tcp#TCP_INFO}). The struct grows with the kernel,
 * which fills as many bytes as it is given room for.
 *
 * <pre>{@code
 *  0 __u8 tcpi_state     TCP_CLOSE and others
 * }</pre>
 *
 * <p>Thread: any; the memory is the caller's.
 */
@CStruct(value = "struct tcp_info", header = "netinet/tcp.h")
public final class TcpInfo {
    @CField("tcpi_state")
    public static final int TCPI_STATE = 0;

    private TcpInfo() {}

    public static int tcpiState(long address) {
        return Byte.toUnsignedInt(Memory.getByte(address + TCPI_STATE));
    }

    public static void tcpiState(long address, int value) {
        Memory.putByte(address + TCPI_STATE, (byte) value);
    }
}
