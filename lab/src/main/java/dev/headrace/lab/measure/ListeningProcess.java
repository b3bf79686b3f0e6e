package dev.headrace.lab.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Finds the process of this machine that listens on a TCP port: the inode of the listening socket from
 * {@code /proc/net/tcp}, then the process that has a descriptor of it.
 *
 * <p>Thread: any; no state.
 */
public final class ListeningProcess {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String STATE_LISTEN = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final int HEXADECIMAL = 16;

    private ListeningProcess() {}

    /** Its process id; empty when there is none or it belongs to somebody whose descriptors we may not see. */
    public static OptionalLong on(int port) {
        for (Path table : TABLES) {
            try {
                for (String line : Files.readAllLines(table, StandardCharsets.US_ASCII)) {
                    String inode = inodeOfListener(line, port);
                    if (!inode.isEmpty()) {
                        return holder("socket:[" + inode + "]");
                    }
                }
            } catch (IOException e) {
                // a table that cannot be read has nothing for us
            }
        }
        return OptionalLong.empty();
    }

    static String inodeOfListener(String line, int port) {
        String[] fields = line.strip().split(" +", -1);
        if (fields.length <= INODE || !fields[STATE].equals(STATE_LISTEN)) {
            return "";
        }
        String address = fields[LOCAL_ADDRESS];
        int listening = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), HEXADECIMAL);
        return listening == port ? fields[INODE] : "";
    }

    private static OptionalLong holder(String socket) {
        return ProcessHandle.allProcesses()
                .mapToLong(ProcessHandle::pid)
                .filter(pid -> holds(pid, socket))
                .findFirst();
    }

    private static boolean holds(long pid, String socket) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (linksTo(descriptor, socket)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException notOurs) {
            return false;
        }
        return false;
    }

    private static boolean linksTo(Path descriptor, String socket) {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(socket);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
