package dev.headrace.abi.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headrace.abi.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemCallsTest {
    private static final int NO_FD = -1;
    private static final long BAD_ADDRESS = 8;

    private final SystemCalls calls = new SystemCalls();
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void free() {
        arena.close();
    }

    private long room(long bytes) {
        return arena.allocate(bytes, 8).address();
    }

    private int[] pair(int type) {
        long fds = room(8);
        assertEquals(0, calls.socketpair(Socket.AF_UNIX, type, 0, fds));
        return new int[] {Memory.getInt(fds), Memory.getInt(fds + 4)};
    }

    private void close(int... fds) {
        for (int fd : fds) {
            assertEquals(0, calls.close(fd));
        }
    }

    @Test
    void everyCallOnADescriptorRefusesABadOne() {
        int bad = -Errno.EBADF;
        long room = room(128);
        assertEquals(bad, calls.bind(NO_FD, room, 16));
        assertEquals(bad, calls.listen(NO_FD, 1));
        assertEquals(bad, calls.accept4(NO_FD, 0, 0, 0));
        assertEquals(bad, calls.connect(NO_FD, room, 16));
        assertEquals(bad, calls.shutdown(NO_FD, Socket.SHUT_WR));
        assertEquals(bad, calls.close(NO_FD));
        assertEquals(bad, calls.getsockname(NO_FD, room, room));
        assertEquals(bad, calls.getpeername(NO_FD, room, room));
        assertEquals(bad, calls.setsockopt(NO_FD, Socket.SOL_SOCKET, Socket.SO_REUSEADDR, room, 4));
        assertEquals(bad, calls.getsockopt(NO_FD, Socket.SOL_SOCKET, Socket.SO_ERROR, room, room));
        assertEquals(bad, calls.recv(NO_FD, room, 1, 0));
        assertEquals(bad, calls.send(NO_FD, room, 1, 0));
        assertEquals(bad, calls.recvmsg(NO_FD, room, 0));
        assertEquals(bad, calls.sendmsg(NO_FD, room, 0));
        assertEquals(bad, calls.read(NO_FD, room, 1));
        assertEquals(bad, calls.write(NO_FD, room, 1));
        assertEquals(bad, calls.fcntl(NO_FD, Fcntl.F_GETFD, 0));
        assertEquals(bad, calls.ioctl(NO_FD, PerfEvent.PERF_EVENT_IOC_ENABLE, 0));
        assertEquals(bad, calls.epollCtl(NO_FD, Epoll.EPOLL_CTL_ADD, 0, room));
        assertEquals(bad, calls.epollWait(NO_FD, room, 1, 0));
        assertEquals(bad, calls.mmap(0, 4096, Mman.PROT_READ, Mman.MAP_SHARED, NO_FD, 0));
    }

    @Test
    void badAddressesAreRefused() {
        assertEquals(-Errno.EFAULT, calls.pipe2(BAD_ADDRESS, 0));
        assertEquals(-Errno.EFAULT, calls.socketpair(Socket.AF_UNIX, Socket.SOCK_STREAM, 0, BAD_ADDRESS));
        assertEquals(-Errno.EINVAL, calls.munmap(1, 4096));
    }

    @Test
    void bytesGoThroughAPairOfSocketsAndTheEndArrives() {
        int[] fds = pair(Socket.SOCK_STREAM | Socket.SOCK_CLOEXEC);
        long room = room(64);
        byte[] text = "to and fro".getBytes(StandardCharsets.US_ASCII);
        Memory.copy(text, 0, room, text.length);
        assertEquals(text.length, calls.send(fds[0], room, text.length, Socket.MSG_NOSIGNAL));
        Memory.fill(room, 64, (byte) 0);
        assertEquals(text.length, calls.recv(fds[1], room, 64, 0));
        byte[] back = new byte[text.length];
        Memory.copy(room, back, 0, back.length);
        assertArrayEquals(text, back);

        assertEquals(-Errno.EAGAIN, calls.recv(fds[1], room, 64, Socket.MSG_DONTWAIT));
        assertEquals(0, calls.shutdown(fds[0], Socket.SHUT_WR));
        assertEquals(0, calls.recv(fds[1], room, 64, 0));
        close(fds[0]);
        assertEquals(-Errno.EPIPE, calls.send(fds[1], room, 1, Socket.MSG_NOSIGNAL));
        close(fds[1]);
    }

    @Test
    void aMessageIsGatheredAndScattered() {
        int[] fds = pair(Socket.SOCK_DGRAM);
        long data = room(32);
        long pieces = room(2L * Iovec.SIZE);
        long message = room(Msghdr.SIZE);
        Memory.copy("abcdefgh".getBytes(StandardCharsets.US_ASCII), 0, data, 8);
        Iovec.iovBase(pieces, data + 4);
        Iovec.iovLen(pieces, 4);
        Iovec.iovBase(pieces + Iovec.SIZE, data);
        Iovec.iovLen(pieces + Iovec.SIZE, 4);
        Msghdr.msgIov(message, pieces);
        Msghdr.msgIovlen(message, 2);
        assertEquals(8, calls.sendmsg(fds[0], message, 0));
        Iovec.iovBase(pieces, data + 16);
        Iovec.iovLen(pieces, 6);
        Msghdr.msgIovlen(message, 1);
        assertEquals(6, calls.recvmsg(fds[1], message, 0));
        assertEquals(Socket.MSG_TRUNC, Msghdr.msgFlags(message));
        byte[] back = new byte[6];
        Memory.copy(data + 16, back, 0, 6);
        assertArrayEquals("efghab".getBytes(StandardCharsets.US_ASCII), back);
        close(fds);
    }

    @Test
    void aTcpConnectionIsMade() {
        int listener = calls.socket(Socket.AF_INET, Socket.SOCK_STREAM | Socket.SOCK_NONBLOCK, Inet.IPPROTO_TCP);
        assertTrue(listener >= 0);
        long address = room(SockaddrStorage.SIZE);
        long value = room(8);
        SockaddrIn.sinFamily(address, Socket.AF_INET);
        SockaddrIn.sinAddr(address, Inet.INADDR_LOOPBACK);
        assertEquals(0, calls.bind(listener, address, SockaddrIn.SIZE));
        assertEquals(0, calls.listen(listener, Socket.SOMAXCONN));
        assertEquals(-Errno.EAGAIN, calls.accept4(listener, 0, 0, 0));
        Memory.putInt(value, SockaddrStorage.SIZE);
        assertEquals(0, calls.getsockname(listener, address, value));
        assertEquals(SockaddrIn.SIZE, Memory.getInt(value));
        int port = SockaddrIn.sinPort(address);
        assertTrue(port > 0);

        int client = calls.socket(Socket.AF_INET, Socket.SOCK_STREAM, 0);
        assertEquals(0, calls.connect(client, address, SockaddrIn.SIZE));
        int server = calls.accept4(listener, address, value, Socket.SOCK_NONBLOCK | Socket.SOCK_CLOEXEC);
        assertTrue(server >= 0);
        assertEquals(Fcntl.O_NONBLOCK, calls.fcntl(server, Fcntl.F_GETFL, 0) & Fcntl.O_NONBLOCK);
        assertEquals(Fcntl.FD_CLOEXEC, calls.fcntl(server, Fcntl.F_GETFD, 0));
        Memory.putInt(value, SockaddrStorage.SIZE);
        assertEquals(0, calls.getpeername(client, address, value));
        assertEquals(port, SockaddrIn.sinPort(address));
        assertEquals(0x7f000001, SockaddrIn.sinAddr(address));
        close(client, server, listener);
        int refused = calls.socket(Socket.AF_INET, Socket.SOCK_STREAM, 0);
        assertEquals(-Errno.ECONNREFUSED, calls.connect(refused, address, SockaddrIn.SIZE));
        close(refused);
    }

    @Test
    void optionsAreSetAndRead() {
        int fd = calls.socket(Socket.AF_INET, Socket.SOCK_STREAM, 0);
        long value = room(8);
        long length = room(4);
        Linger.lOnoff(value, 1);
        Linger.lLinger(value, 7);
        assertEquals(0, calls.setsockopt(fd, Socket.SOL_SOCKET, Socket.SO_LINGER, value, Linger.SIZE));
        Memory.fill(value, 8, (byte) 0);
        Memory.putInt(length, Linger.SIZE);
        assertEquals(0, calls.getsockopt(fd, Socket.SOL_SOCKET, Socket.SO_LINGER, value, length));
        assertEquals(1, Linger.lOnoff(value));
        assertEquals(7, Linger.lLinger(value));
        Memory.putInt(value, 1);
        assertEquals(0, calls.setsockopt(fd, Inet.IPPROTO_TCP, Tcp.TCP_NODELAY, value, 4));
        assertEquals(-Errno.ENOPROTOOPT, calls.setsockopt(fd, Inet.IPPROTO_TCP, 9999, value, 4));
        close(fd);
    }

    @Test
    void epollReportsReadiness() {
        int epoll = calls.epollCreate1(Epoll.EPOLL_CLOEXEC);
        int eventfd = calls.eventfd(0, Eventfd.EFD_NONBLOCK | Eventfd.EFD_CLOEXEC);
        long events = room(4L * EpollEvent.SIZE);
        EpollEvent.events(events, Epoll.EPOLLIN);
        EpollEvent.data(events, 0x1122334455667788L);
        assertEquals(0, calls.epollCtl(epoll, Epoll.EPOLL_CTL_ADD, eventfd, events));
        assertEquals(-Errno.EEXIST, calls.epollCtl(epoll, Epoll.EPOLL_CTL_ADD, eventfd, events));
        Memory.fill(events, 4L * EpollEvent.SIZE, (byte) 0);
        assertEquals(0, calls.epollWait(epoll, events, 4, 0));
        long counter = room(8);
        Memory.putLong(counter, 5);
        assertEquals(8, calls.write(eventfd, counter, 8));
        assertEquals(1, calls.epollWait(epoll, events, 4, 1000));
        assertEquals(Epoll.EPOLLIN, EpollEvent.events(events));
        assertEquals(0x1122334455667788L, EpollEvent.data(events));
        Memory.putLong(counter, 0);
        assertEquals(8, calls.read(eventfd, counter, 8));
        assertEquals(5, Memory.getLong(counter));
        assertEquals(-Errno.EAGAIN, calls.read(eventfd, counter, 8));
        close(eventfd, epoll);
    }

    @Test
    void epollPwait2WaitsForNanoseconds() {
        int epoll = calls.epollCreate1(0);
        long events = room(EpollEvent.SIZE);
        long time = room(KernelTimespec.SIZE);
        KernelTimespec.tvNsec(time, 3_000_000);
        long start = System.nanoTime();
        int result = calls.epollPwait2(epoll, events, 1, time);
        assumeTrue(result != -Errno.ENOSYS, "epoll_pwait2 is missing");
        assertEquals(0, result);
        assertTrue(System.nanoTime() - start >= 3_000_000);
        close(epoll);
    }

    @Test
    void pollReportsReadiness() {
        long fds = room(8);
        assertEquals(0, calls.pipe2(fds, Fcntl.O_CLOEXEC));
        int read = Memory.getInt(fds);
        int write = Memory.getInt(fds + 4);
        long watched = room(2L * Pollfd.SIZE);
        Pollfd.fd(watched, read);
        Pollfd.events(watched, Poll.POLLIN);
        Pollfd.fd(watched + Pollfd.SIZE, write);
        Pollfd.events(watched + Pollfd.SIZE, Poll.POLLOUT);
        assertEquals(1, calls.poll(watched, 2, 0));
        assertEquals(0, Pollfd.revents(watched));
        assertEquals(Poll.POLLOUT, Pollfd.revents(watched + Pollfd.SIZE));
        close(write);
        assertEquals(1, calls.poll(watched, 1, 1000));
        assertEquals(Poll.POLLHUP, Pollfd.revents(watched));
        close(read);
    }

    @Test
    void ppollReportsReadinessAndTheTimeThatIsLeft() {
        int[] fds = pair(Socket.SOCK_STREAM);
        long watched = room(Pollfd.SIZE);
        long time = room(KernelTimespec.SIZE);
        Pollfd.fd(watched, fds[0]);
        Pollfd.events(watched, Poll.POLLIN);
        KernelTimespec.tvNsec(time, 3_000_000);
        long start = System.nanoTime();
        assertEquals(0, calls.ppoll(watched, 1, time));
        assertTrue(System.nanoTime() - start >= 3_000_000);
        assertEquals(0, KernelTimespec.tvNsec(time));
        assertEquals(1, calls.send(fds[1], watched, 1, 0));
        KernelTimespec.tvSec(time, 1_000);
        assertEquals(1, calls.awaitPoll(watched, 1, time));
        assertEquals(Poll.POLLIN, Pollfd.revents(watched));
        assertEquals(999, KernelTimespec.tvSec(time));
        assertEquals(1, calls.awaitPoll(watched, 1, 0));
        assertEquals(-Errno.EFAULT, calls.ppoll(BAD_ADDRESS, 1, time));
        assertEquals(-Errno.EFAULT, calls.awaitPoll(BAD_ADDRESS, 1, 0));
        close(fds);
    }

    @Test
    void pselect6ReportsReadinessAndTheTimeThatIsLeft() {
        int[] fds = pair(Socket.SOCK_STREAM);
        int above = Math.max(fds[0], fds[1]) + 1;
        long reads = room(FdSet.SIZE);
        long writes = room(FdSet.SIZE);
        long time = room(KernelTimespec.SIZE);
        FdSet.set(reads, fds[0]);
        KernelTimespec.tvNsec(time, 3_000_000);
        long start = System.nanoTime();
        assertEquals(0, calls.pselect6(above, reads, 0, 0, time));
        assertTrue(System.nanoTime() - start >= 3_000_000);
        assertEquals(0, KernelTimespec.tvNsec(time));
        assertFalse(FdSet.isSet(reads, fds[0]));
        assertEquals(1, calls.send(fds[1], time, 1, 0));
        FdSet.set(reads, fds[0]);
        FdSet.set(reads, fds[1]);
        FdSet.set(writes, fds[1]);
        KernelTimespec.tvSec(time, 1_000);
        assertEquals(2, calls.awaitSelect(above, reads, writes, 0, time));
        assertTrue(FdSet.isSet(reads, fds[0]));
        assertFalse(FdSet.isSet(reads, fds[1]));
        assertTrue(FdSet.isSet(writes, fds[1]));
        assertEquals(999, KernelTimespec.tvSec(time));
        close(fds);
        assertEquals(-Errno.EBADF, calls.awaitSelect(above, reads, writes, 0, 0));
        assertTrue(FdSet.isSet(reads, fds[0]), "a failed call leaves the sets alone");
    }

    @Test
    void tcpTellsItsState() {
        int fd = calls.socket(Socket.AF_INET, Socket.SOCK_STREAM, 0);
        long value = room(8);
        long length = room(4);
        Memory.putInt(length, 1);
        Memory.putLong(value, -1);
        assertEquals(0, calls.getsockopt(fd, Inet.IPPROTO_TCP, Tcp.TCP_INFO, value, length));
        assertEquals(1, Memory.getInt(length));
        assertEquals(Tcp.TCP_CLOSE, TcpInfo.tcpiState(value));
        assertEquals(-1, Memory.getByte(value + 1), "no more is stored than there is room for");
        close(fd);
    }

    @Test
    void memoryIsMappedAndGivenBack() {
        int flags = Mman.MAP_PRIVATE | Mman.MAP_ANONYMOUS;
        long address = calls.mmap(0, 1 << 20, Mman.PROT_READ | Mman.PROT_WRITE, flags, -1, 0);
        assertTrue(address > 0, () -> Errno.describe((int) address));
        Memory.putLong(address + (1 << 20) - 8, 42);
        assertEquals(42, Memory.getLong(address + (1 << 20) - 8));
        assertEquals(0, calls.madvise(address, 1 << 20, Mman.MADV_DONTNEED));
        assertEquals(0, Memory.getLong(address + (1 << 20) - 8));
        assertEquals(0, calls.munmap(address, 1 << 20));
        assertEquals(-Errno.EINVAL, calls.mmap(0, 0, Mman.PROT_READ, flags, -1, 0));
        assertEquals(-Errno.EINVAL, calls.madvise(address, 4096, 9999));
    }

    @Test
    void ringCallsRefuseBadArguments() {
        long params = room(IoUringParams.SIZE);
        int result = calls.ioUringSetup(0, params);
        assumeTrue(result != -Errno.ENOSYS && result != -Errno.EPERM, "io_uring is refused");
        assertEquals(-Errno.EINVAL, result);
        assertEquals(-Errno.EFAULT, calls.ioUringSetup(1, BAD_ADDRESS));
        IoUringParams.flags(params, 1 << 30);
        assertEquals(-Errno.EINVAL, calls.ioUringSetup(1, params));
        assertEquals(-Errno.EBADF, calls.ioUringEnter(NO_FD, 0, 0, 0, 0, 0));
        int eventfd = calls.eventfd(0, 0);
        assertEquals(-Errno.EOPNOTSUPP, calls.ioUringEnter(eventfd, 0, 0, 0, 0, 0));
        int notOpen = Integer.MAX_VALUE; // -1 is no bad one here: since Linux 6.18 it means no ring in particular
        int opcode = IoUring.IORING_REGISTER_PROBE;
        assertEquals(-Errno.EBADF, calls.ioUringRegister(notOpen, opcode, room(IoUringProbe.SIZE), 0));
        close(eventfd);
    }

    @Test
    void aRingIsSetUpProbedAndEntered() {
        long params = room(IoUringParams.SIZE);
        int ring = calls.ioUringSetup(4, params);
        assumeTrue(ring != -Errno.ENOSYS && ring != -Errno.EPERM, "io_uring is refused");
        assertTrue(ring >= 0);
        assertEquals(4, IoUringParams.sqEntries(params));
        assertEquals(8, IoUringParams.cqEntries(params));
        long probe = room(IoUringProbe.SIZE + 64L * IoUringProbeOp.SIZE);
        assertEquals(0, calls.ioUringRegister(ring, IoUring.IORING_REGISTER_PROBE, probe, 64));
        long nop = IoUringProbe.op(probe, IoUring.IORING_OP_SEND);
        assertEquals(IoUring.IORING_OP_SEND, IoUringProbeOp.op(nop));
        assertEquals(IoUring.IO_URING_OP_SUPPORTED, IoUringProbeOp.flags(nop));
        assertEquals(0, calls.ioUringEnter(ring, 0, 0, IoUring.IORING_ENTER_GETEVENTS, 0, 0));
        close(ring);
    }

    @Test
    void processorsAreReadAndSet() throws InterruptedException {
        AtomicInteger restricted = new AtomicInteger();
        Thread thread = Thread.ofPlatform().start(() -> restricted.set(pinToOne()));
        thread.join();
        assertEquals(1, restricted.get());
    }

    /** Pins the calling thread to its first processor, and gives the number it then has. */
    private static int pinToOne() {
        SystemCalls own = new SystemCalls();
        try (Arena arena = Arena.ofConfined()) {
            long set = arena.allocate(CpuSet.SIZE, 8).address();
            own.schedGetaffinity(0, CpuSet.SIZE, set);
            int first = 0;
            while (!CpuSet.isSet(set, first)) {
                first++;
            }
            CpuSet.clear(set);
            CpuSet.set(set, first);
            int result = own.schedSetaffinity(0, CpuSet.SIZE, set);
            CpuSet.clear(set);
            own.schedGetaffinity(0, CpuSet.SIZE, set);
            int count = 0;
            for (int cpu = 0; cpu < CpuSet.CPUS; cpu++) {
                count += CpuSet.isSet(set, cpu) ? 1 : 0;
            }
            return result < 0 ? result : count;
        }
    }

    @Test
    void limitsAreRead() throws IOException {
        long limit = room(Rlimit.SIZE);
        assertEquals(0, calls.prlimit(0, Resource.RLIMIT_NOFILE, 0, limit));
        String line = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(text -> text.startsWith("Max open files"))
                .findFirst()
                .orElseThrow();
        assertEquals(Long.parseLong(line.split(" {2,}", -1)[1]), Rlimit.rlimCur(limit));
    }

    @Test
    void theClockIsTheOneOfTheJvm() {
        long time = room(KernelTimespec.SIZE);
        long before = System.nanoTime();
        assertEquals(0, calls.clockGettime(Clock.CLOCK_MONOTONIC, time));
        long nanos = KernelTimespec.tvSec(time) * 1_000_000_000L + KernelTimespec.tvNsec(time);
        assertTrue(before <= nanos && nanos <= System.nanoTime());
        assertEquals(-Errno.EINVAL, calls.clockGettime(9999, time));
    }

    @Test
    void callsTellWhoCalls() throws IOException {
        assertTrue(Files.exists(Path.of("/proc/self/task/" + calls.gettid())));
        int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        assertEquals(user, calls.geteuid());
        long name = room(16);
        int getName = 16; // PR_GET_NAME
        assertEquals(0, calls.prctl(getName, name, 0, 0, 0));
        assertFalse(Memory.getByte(name) == 0);
    }

    @Test
    void performanceEventsAreCountedOrRefused() {
        long attr = room(PerfEventAttr.SIZE);
        PerfEventAttr.type(attr, PerfEvent.PERF_TYPE_SOFTWARE);
        PerfEventAttr.attrSize(attr, PerfEventAttr.SIZE);
        PerfEventAttr.config(attr, PerfEvent.PERF_COUNT_SW_TASK_CLOCK);
        PerfEventAttr.flags(attr, PerfEventAttr.DISABLED | PerfEventAttr.EXCLUDE_KERNEL | PerfEventAttr.EXCLUDE_HV);
        int fd = calls.perfEventOpen(attr, 0, -1, -1, PerfEvent.PERF_FLAG_FD_CLOEXEC);
        assumeTrue(fd != -Errno.EACCES && fd != -Errno.EPERM && fd != -Errno.ENOSYS, "performance events are refused");
        assertTrue(fd >= 0, () -> Errno.describe(fd));
        long count = room(8);
        assertEquals(8, calls.read(fd, count, 8));
        assertEquals(0, Memory.getLong(count));
        assertEquals(0, calls.ioctl(fd, PerfEvent.PERF_EVENT_IOC_ENABLE, 0));
        assertEquals(8, calls.read(fd, count, 8));
        assertTrue(Memory.getLong(count) > 0);
        close(fd);
        PerfEventAttr.type(attr, 9999);
        assertEquals(-Errno.ENOENT, calls.perfEventOpen(attr, 0, -1, -1, 0));
    }
}
