package dev.headrace.difference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * What was seen while a scenario was played: for each connection and side, in order. Bytes that follow each other within
 * one step are one event, since their boundaries mean nothing.
 */
final class Trace {
    /** What one side of a connection saw. */
    static final class Log {
        private final Trace trace;
        private final List<String> events = new ArrayList<>();
        private final CRC32 checksum = new CRC32();
        private int step;
        private long bytes;

        private Log(Trace trace) {
            this.trace = trace;
        }

        void add(String event) {
            synchronized (trace) {
                endBytes();
                events.add(trace.step + ": " + event);
            }
        }

        void received(byte[] content) {
            synchronized (trace) {
                if (step != trace.step) {
                    endBytes();
                }
                step = trace.step;
                bytes += content.length;
                checksum.update(content);
            }
        }

        private void endBytes() {
            if (bytes > 0) {
                events.add("%d: received %d B #%08x".formatted(step, bytes, checksum.getValue()));
                bytes = 0;
                checksum.reset();
            }
        }
    }

    private final Map<String, Log> logs = new TreeMap<>();
    private int step;

    synchronized void step(int number) {
        step = number;
    }

    synchronized Log log(String side) {
        return logs.computeIfAbsent(side, _ -> new Log(this));
    }

    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        logs.forEach((side, log) -> {
            log.endBytes();
            log.events.forEach(event -> lines.add(side + " " + event));
        });
        return lines;
    }
}
