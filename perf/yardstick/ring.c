/* Setting up and entering the ring, by raw system calls. */
#define _GNU_SOURCE
#include "ring.h"
#include "common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

#define ALWAYS (IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | IORING_SETUP_R_DISABLED | IORING_SETUP_SUBMIT_ALL \
                | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_SINGLE_ISSUER)

/* The ladder: the first set of flags that this kernel takes. Multishot receive (6.0) is the floor. */
static const struct {
    uint32_t flags;
    const char *text;
} RUNGS[] = {
    {ALWAYS | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_NO_SQARRAY, "DEFER_TASKRUN, NO_SQARRAY"},
    {ALWAYS | IORING_SETUP_DEFER_TASKRUN, "DEFER_TASKRUN (NO_SQARRAY refused)"},
    {ALWAYS, "COOP_TASKRUN only (DEFER_TASKRUN and NO_SQARRAY refused)"},
};

static int number_in_file(const char *path, const char *key) {
    char line[256];
    int number = 0;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) == 0) {
            number = atoi(line + strlen(key));
            break;
        }
    }
    fclose(file);
    return number;
}

/* EPERM is the answer of a sysctl and of a seccomp filter alike: tell them apart by what the system says of itself. */
static void refuse_setup(int error) {
    const char *remedy = "use `yardstick epoll`, or Linux 6.0 or later";
    if (error == EPERM && number_in_file("/proc/sys/kernel/io_uring_disabled", ""))
        remedy = "set it free with `sysctl kernel.io_uring_disabled=0`";
    else if (error == EPERM && number_in_file("/proc/self/status", "Seccomp:"))
        remedy = "a seccomp filter is active: allow io_uring_setup, io_uring_enter and io_uring_register in its profile";
    else if (error == ENOMEM)
        remedy = "raise the limit of locked memory (ulimit -l) or free some memory";
    else if (error == EMFILE || error == ENFILE)
        remedy = "raise the descriptor limit (ulimit -n)";
    refuse("io_uring_setup refused", error, remedy);
}

static const char *set_up(struct ring *ring, struct io_uring_params *parameters) {
    int error = 0;
    for (size_t i = 0; i < sizeof RUNGS / sizeof RUNGS[0]; i++) {
        memset(parameters, 0, sizeof *parameters);
        parameters->flags = RUNGS[i].flags;
        parameters->cq_entries = CQ_ENTRIES;
        ring->fd = (int)syscall(NR_io_uring_setup, SQ_ENTRIES, parameters);
        if (ring->fd >= 0) return RUNGS[i].text;
        error = errno;
        if (error != EINVAL) break;
    }
    refuse_setup(error);
    return NULL;
}

static void *map(size_t bytes, int flags, int fd, off_t offset) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, offset);
    if (memory == MAP_FAILED) refuse("cannot map the ring's memory", errno, "free some memory");
    return memory;
}

static void map_queues(struct ring *ring, const struct io_uring_params *p) {
    size_t sq_bytes = p->sq_off.array + p->sq_entries * sizeof(uint32_t);
    size_t cq_bytes = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
    char *queues = map(sq_bytes > cq_bytes ? sq_bytes : cq_bytes, MAP_SHARED | MAP_POPULATE, ring->fd,
                       IORING_OFF_SQ_RING);
    ring->sqes = map(p->sq_entries * sizeof(struct io_uring_sqe), MAP_SHARED | MAP_POPULATE, ring->fd,
                     IORING_OFF_SQES);
    ring->sq_head = (uint32_t *)(queues + p->sq_off.head);
    ring->sq_tail = (uint32_t *)(queues + p->sq_off.tail);
    ring->sq_flags = (uint32_t *)(queues + p->sq_off.flags);
    ring->sq_mask = p->sq_entries - 1;
    ring->cq_head = (uint32_t *)(queues + p->cq_off.head);
    ring->cq_tail = (uint32_t *)(queues + p->cq_off.tail);
    ring->cq_mask = p->cq_entries - 1;
    ring->cqes = (struct io_uring_cqe *)(queues + p->cq_off.cqes);
    ring->gathers = allocate(p->sq_entries * sizeof(struct gather));
    if (!(p->flags & IORING_SETUP_NO_SQARRAY)) {
        uint32_t *array = (uint32_t *)(queues + p->sq_off.array);
        for (uint32_t i = 0; i < p->sq_entries; i++) array[i] = i;
    }
}

/* Ring entries and slab lie in one region that the kernel is asked to back with huge pages: fewer TLB misses. */
static void provide_buffers(struct ring *ring) {
    size_t head_bytes = BUFFERS * sizeof(struct io_uring_buf);
    size_t bytes = head_bytes + (size_t)BUFFERS * BUFFER_STRIDE;
    bytes = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    uintptr_t region = (uintptr_t)map(bytes + HUGE_PAGE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    region = (region + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    madvise((void *)region, bytes, MADV_HUGEPAGE);
    memset((void *)region, 0, bytes);
    ring->buffers = (struct io_uring_buf *)region;
    ring->slab = (char *)region + ((head_bytes + 4095) & ~(size_t)4095);
    struct io_uring_buf_reg registration = {
        .ring_addr = region, .ring_entries = BUFFERS, .bgid = BUFFER_GROUP};
    if (syscall(NR_io_uring_register, ring->fd, IORING_REGISTER_PBUF_RING, &registration, 1) < 0)
        refuse("cannot register the buffer ring", errno, "use `yardstick epoll`, or Linux 6.0 or later");
    for (unsigned i = 0; i < BUFFERS; i++) ring_return_buffer(ring, i);
    ring_publish_buffers(ring);
}

const char *ring_open(struct ring *ring) {
    static char text[320];
    struct io_uring_params parameters;
    memset(ring, 0, sizeof *ring);
    const char *rung = set_up(ring, &parameters);
    if (!(parameters.features & IORING_FEAT_SINGLE_MMAP) || !(parameters.features & IORING_FEAT_NODROP))
        refuse("this kernel's io_uring is too old", 0, "use `yardstick epoll`, or Linux 6.0 or later");
    map_queues(ring, &parameters);
    provide_buffers(ring);
    if (syscall(NR_io_uring_register, ring->fd, IORING_REGISTER_ENABLE_RINGS, NULL, 0) < 0)
        refuse("cannot enable the ring", errno, "use `yardstick epoll`");
    struct io_uring_rsrc_update update = {.offset = UINT32_MAX, .data = (uint64_t)ring->fd};
    int registered = syscall(NR_io_uring_register, ring->fd, IORING_REGISTER_RING_FDS, &update, 1) == 1;
    int no_iowait = (parameters.features & IORING_FEAT_NO_IOWAIT) != 0;
    ring->enter_fd = registered ? (int)update.offset : ring->fd;
    ring->enter_flags = (registered ? IORING_ENTER_REGISTERED_RING : 0) | (no_iowait ? IORING_ENTER_NO_IOWAIT : 0);
    snprintf(text, sizeof text,
             "SINGLE_ISSUER, COOP_TASKRUN, TASKRUN_FLAG, SUBMIT_ALL, CLAMP, R_DISABLED then enabled, %s; "
             "ring descriptor %s; NO_IOWAIT %s; %u SQ and %u CQ entries; %d buffers of %d B, stride %d, huge pages asked",
             rung, registered ? "registered" : "not registered (refused)", no_iowait ? "on" : "not in this kernel",
             parameters.sq_entries, parameters.cq_entries, BUFFERS, BUFFER_BYTES, BUFFER_STRIDE);
    return text;
}

/* The kernel reads how much is staged from the tail; it may take less than that (EAGAIN: no memory, EBUSY: completions
   first), and then does not wait. */
static int enter(struct ring *ring, unsigned wait, unsigned flags) {
    __atomic_store_n(ring->sq_tail, ring->staged, __ATOMIC_RELEASE);
    uint32_t pending = ring->staged - __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
    long result = syscall(NR_io_uring_enter, ring->enter_fd, pending, wait, flags | ring->enter_flags, NULL, 0);
    if (result >= 0) return (uint32_t)result == pending;
    if (errno != EINTR && errno != EAGAIN && errno != EBUSY) refuse("io_uring_enter failed", errno, "report this");
    return ring->staged == __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
}

int ring_turn(struct ring *ring, unsigned wait) {
    int all = enter(ring, wait, IORING_ENTER_GETEVENTS);
    return all && !(__atomic_load_n(ring->sq_flags, __ATOMIC_RELAXED) & IORING_SQ_CQ_OVERFLOW);
}

struct io_uring_sqe *ring_stage(struct ring *ring) {
    for (int i = 0; ring->staged - __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE) > ring->sq_mask; i++) {
        if (i == 1000) refuse("the kernel takes no more requests", errno, "free some memory");
        enter(ring, 0, 0);
    }
    struct io_uring_sqe *entry = &ring->sqes[ring->staged++ & ring->sq_mask];
    memset(entry, 0, sizeof *entry);
    return entry;
}
