package dev.headrace.abi.linux;

import dev.headrace.abi.Header;

/**
 * Constants of perf_event_open(2), from linux/perf_event.h.
 */
@Header({"linux/perf_event.h", "sys/ioctl.h"})
public final class PerfEvent {
    // perf_event_attr.type

    public static final int PERF_TYPE_HARDWARE = 0;
    public static final int PERF_TYPE_SOFTWARE = 1;
    public static final int PERF_TYPE_TRACEPOINT = 2;

    // perf_event_attr.config of software events

    public static final int PERF_COUNT_SW_CPU_CLOCK = 0;
    public static final int PERF_COUNT_SW_TASK_CLOCK = 1;
    public static final int PERF_COUNT_SW_CONTEXT_SWITCHES = 3;
    public static final int PERF_COUNT_SW_CPU_MIGRATIONS = 4;

    // perf_event_attr.config of hardware events

    public static final int PERF_COUNT_HW_CPU_CYCLES = 0;
    public static final int PERF_COUNT_HW_INSTRUCTIONS = 1;

    // perf_event_attr.read_format

    public static final int PERF_FORMAT_TOTAL_TIME_ENABLED = 1 << 0;
    public static final int PERF_FORMAT_TOTAL_TIME_RUNNING = 1 << 1;
    public static final int PERF_FORMAT_ID = 1 << 2;
    public static final int PERF_FORMAT_GROUP = 1 << 3;

    // perf_event_attr.size

    public static final int PERF_ATTR_SIZE_VER0 = 64;

    // flags of the call

    public static final int PERF_FLAG_FD_NO_GROUP = 1 << 0;
    public static final int PERF_FLAG_FD_CLOEXEC = 1 << 3;

    // requests of ioctl(2)

    public static final int PERF_EVENT_IOC_ENABLE = 0x2400;
    public static final int PERF_EVENT_IOC_DISABLE = 0x2401;
    public static final int PERF_EVENT_IOC_RESET = 0x2403;
    public static final int PERF_IOC_FLAG_GROUP = 1 << 0;

    private PerfEvent() {}
}
