package dev.headrace.refusal;

import dev.headrace.engine.Backend;
import dev.headrace.engine.Connection;
import dev.headrace.engine.EngineOptions;
import dev.headrace.engine.Listener;
import dev.headrace.engine.LoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * An echo server on whatever works. The arguments are an errno and the system calls that shall fail with it, or none; the
 * answers are lines: {@code chose BACKEND REASON} and {@code listening PORT}, or {@code none REASONS}.
 */
final class RefusedEcho {
    private RefusedEcho() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (arguments.length > 0) {
            List<String> calls = List.of(arguments).subList(1, arguments.length);
            SeccompFilter.refuse(Integer.parseInt(arguments[0]), calls);
        }
        Backend.Choice choice;
        try {
            choice = Backend.auto();
        } catch (IllegalStateException e) {
            System.out.println("none " + e.getMessage());
            return;
        }
        System.out.println("chose " + choice.backend().id() + " " + choice.reason());
        try (LoopGroup group = LoopGroup.open(EngineOptions.of(choice.backend()))) {
            InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            Listener listener = group.listen(anyPort, _ -> Connection::write);
            System.out.println("listening " + listener.address().getPort());
            // Until the one who asked ends, or wants no more.
            input.readLine();
        }
    }
}
