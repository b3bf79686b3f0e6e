package dev.headrace.lab.race;

/** The interface to the kernel that a server is built on. */
public enum KernelInterface {
    IO_URING,
    EPOLL
}
