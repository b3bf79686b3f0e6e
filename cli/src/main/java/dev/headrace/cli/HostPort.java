package dev.headrace.cli;

import dev.headrace.lab.Refusal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A host and a port as the user wrote them.
 *
 * <p>Thread: any; immutable.
 */
record HostPort(String host, int port) {
    private static final Pattern SYNTAX = Pattern.compile("(?:\\[([0-9A-Fa-f:.%a-z]+)\\]|([^:\\[\\]]+)):(\\d{1,5})");
    private static final int PORT_MAX = 65535;

    /** Reads {@code HOST:PORT}; an IPv6 address goes in brackets. */
    static final class Converter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String value) {
            Matcher matcher = SYNTAX.matcher(value);
            if (!matcher.matches()) {
                throw new TypeConversionException(
                        "'" + value + "' is not HOST:PORT, for example 127.0.0.1:7000 or [::1]:7000");
            }
            int port = Integer.parseInt(matcher.group(3));
            if (port < 1 || port > PORT_MAX) {
                throw new TypeConversionException("port " + port + " is out of range: 1 to " + PORT_MAX);
            }
            String bracketed = matcher.group(1);
            return new HostPort(bracketed != null ? bracketed : matcher.group(2), port);
        }
    }

    /**
     * Looks the host up.
     *
     * @throws Refusal when there is none of that name
     */
    InetSocketAddress resolve() {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (UnknownHostException e) {
            throw new Refusal(
                    "host '" + host + "' cannot be resolved: check its spelling, or give the address as a number", e);
        }
    }
}
