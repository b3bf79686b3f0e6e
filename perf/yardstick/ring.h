/* The ring itself: queues shared with the kernel, the buffers it receives into, and one system call a turn. */
#ifndef YARDSTICK_RING_H
#define YARDSTICK_RING_H

#include "uring_abi.h"

#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Tuned with 100-byte messages on 100 and 1000 connections: 256 to 4096 buffers, strides with and without a power of two,
   64 to 1024 submission entries lie within 1 % of each other. These leave room for bursts. */
#ifndef SQ_ENTRIES
#define SQ_ENTRIES 256
#endif
#ifndef CQ_ENTRIES
#define CQ_ENTRIES 4096
#endif
#ifndef BUFFERS
#define BUFFERS 1024 /* a power of two: ring entries */
#endif
#ifndef BUFFER_BYTES
#define BUFFER_BYTES 2048
#endif
#ifndef BUFFER_STRIDE
#define BUFFER_STRIDE (BUFFER_BYTES + 64)
#endif
enum { GATHER_MAX = 64, BUFFER_GROUP = 0 };

/* What one gathering send points at. There is one for each submission entry: it is free again when its entry is, because
   the kernel copies it while it takes the entry (IORING_FEAT_SUBMIT_STABLE, 5.5). */
struct gather {
    struct msghdr message;
    struct iovec parts[GATHER_MAX];
};

struct ring {
    /* submission queue: the kernel moves the head, we the tail */
    uint32_t *sq_head, *sq_tail, *sq_flags;
    struct io_uring_sqe *sqes;
    struct gather *gathers;
    uint32_t sq_mask, staged; /* staged: our tail, ahead of what the kernel was told */
    uint32_t enter_flags;
    /* completion queue: the kernel moves the tail, we the head */
    uint32_t *cq_head, *cq_tail, cq_mask;
    struct io_uring_cqe *cqes;
    /* provided buffers: the kernel takes from the head, we add at the tail */
    struct io_uring_buf *buffers;
    char *slab;
    uint16_t buffers_tail;
    uint32_t buffers_free; /* those the kernel has */
    int fd;
    int enter_fd; /* the registered index of the ring, or its descriptor */
};

/* Sets the ring up, or ends the process with the reason. Returns what is used, for the configuration line. */
const char *ring_open(struct ring *ring);

/* A zeroed submission entry. Submits what is staged when the queue is full. */
struct io_uring_sqe *ring_stage(struct ring *ring);

/* Submits all that is staged, runs the kernel's deferred work and, if `wait` is 1, sleeps until there is a completion.
   Returns 1 when everything was submitted, 0 when the kernel took only a part or hides completions: reap and call again. */
int ring_turn(struct ring *ring, unsigned wait);

static inline char *ring_buffer(const struct ring *ring, unsigned id) {
    return ring->slab + (size_t)id * BUFFER_STRIDE;
}

static inline void ring_return_buffer(struct ring *ring, unsigned id) {
    struct io_uring_buf *entry = &ring->buffers[ring->buffers_tail & (BUFFERS - 1)];
    entry->addr = (uint64_t)(uintptr_t)ring_buffer(ring, id);
    entry->len = BUFFER_BYTES;
    entry->bid = (uint16_t)id; /* resv stays untouched: in the first entry it is the tail */
    ring->buffers_tail++;
    ring->buffers_free++;
}

/* Makes the returned buffers visible to the kernel. */
static inline void ring_publish_buffers(struct ring *ring) {
    __atomic_store_n(&ring->buffers[0].resv, ring->buffers_tail, __ATOMIC_RELEASE);
}

#endif
