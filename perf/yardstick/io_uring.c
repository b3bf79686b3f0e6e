/*
 * Echo over io_uring. A connection has one multishot receive; the kernel puts what arrives into a provided buffer, and the
 * answer is sent straight out of it. One io_uring_enter a turn submits everything and waits for one completion.
 *
 * Sends are skipped on success (IOSQE_CQE_SKIP_SUCCESS) and must not block (MSG_DONTWAIT) nor be short unnoticed
 * (MSG_WAITALL): a send that has posted no failure when the enter that submitted it returns has succeeded, and its buffers
 * go back to the kernel. When the socket is full the failure says how much was taken; the rest moves to memory of its own,
 * so that a slow reader holds no shared buffer, and goes out by a send that waits. One send at a time per connection:
 * unlinked ones may overtake each other.
 */
#define _GNU_SOURCE
#include "common.h"
#include "ring.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Above the first reading stops until the peer has taken enough to come to the second. */
enum { BACKLOG_HIGH = 256 << 10, BACKLOG_LOW = 64 << 10, SLAB_CONNECTIONS = 256 };

/* In the low bits of user_data; the rest is the connection's address. A connection is not reused before every request
   that names it has had its last completion, so no completion can meet a successor. */
enum kind { RECEIVE, SEND, CANCEL, CLOSE, ACCEPT, TIMER, KIND_MASK = 7 };

enum sending { IDLE, SKIPPING /* silent on success */, WAITING /* out of the backlog, until it is taken */ };

/* Output that the socket did not take. */
struct block {
    struct block *next;
    size_t offset, length;
    char bytes[];
};

struct connection {
    int32_t fd;
    uint8_t receiving, sending, cancels;
    uint8_t listed;   /* in `output`: to be looked at after the dispatch */
    uint8_t ended;    /* the peer has finished sending */
    uint8_t dead;     /* reset, or otherwise lost */
    uint8_t paused;   /* no receive wanted: the peer takes too little */
    uint8_t starved;  /* in the list of those that found no buffer */
    uint16_t first, last, queued, flying; /* received buffers in order; the first `flying` are being sent */
    struct block *backlog, *backlog_last;
    size_t backlog_bytes;
    struct connection *next; /* free list or starved list */
} __attribute__((aligned(64)));

static struct ring ring;
static struct {
    uint32_t length;
    uint16_t next;
} received[BUFFERS];

static struct connection *free_connections, *starved_first, *starved_last;
static struct connection **output, **submitted; /* listed for output; had a skipping send in the last submission */
static size_t output_count, submitted_count, connections_count;
static int listener, hurry; /* hurry: there is something to do after the next enter even if nothing completes */

/* ---- requests ---- */

static struct io_uring_sqe *stage(uint8_t opcode, int fd, struct connection *c, enum kind kind) {
    struct io_uring_sqe *entry = ring_stage(&ring);
    entry->opcode = opcode;
    entry->fd = fd;
    entry->user_data = (uint64_t)(uintptr_t)c | kind;
    return entry;
}

static void stage_accept(void) {
    struct io_uring_sqe *entry = stage(IORING_OP_ACCEPT, listener, NULL, ACCEPT);
    entry->ioprio = IORING_ACCEPT_MULTISHOT;
    entry->op_flags = SOCK_CLOEXEC;
}

static void stage_timer(void) {
    static const struct {
        int64_t seconds, nanos;
    } PAUSE = {0, ACCEPT_PAUSE_MILLIS * 1000000LL};
    struct io_uring_sqe *entry = stage(IORING_OP_TIMEOUT, -1, NULL, TIMER);
    entry->addr = (uint64_t)(uintptr_t)&PAUSE;
    entry->len = 1;
}

static void stage_receive(struct connection *c, uint16_t flags) {
    struct io_uring_sqe *entry = stage(IORING_OP_RECV, c->fd, c, RECEIVE);
    entry->flags = IOSQE_BUFFER_SELECT;
    entry->ioprio = IORING_RECV_MULTISHOT | flags;
    entry->buf_group = BUFFER_GROUP;
    c->receiving = 1;
}

static void stage_cancel(struct connection *c, enum kind kind) {
    struct io_uring_sqe *entry = stage(IORING_OP_ASYNC_CANCEL, -1, c, CANCEL);
    entry->addr = (uint64_t)(uintptr_t)c | kind;
    c->cancels++;
}

/* Sends the received buffers, all that fit into one request. */
static void stage_skipping_send(struct connection *c) {
    struct io_uring_sqe *entry;
    if (c->queued == 1) {
        entry = stage(IORING_OP_SEND, c->fd, c, SEND);
        entry->addr = (uint64_t)(uintptr_t)ring_buffer(&ring, c->first);
        entry->len = received[c->first].length;
        c->flying = 1;
    } else {
        entry = stage(IORING_OP_SENDMSG, c->fd, c, SEND);
        struct gather *gather = &ring.gathers[entry - ring.sqes];
        unsigned id = c->first, count = 0;
        for (; count < c->queued && count < GATHER_MAX; count++, id = received[id].next)
            gather->parts[count] = (struct iovec){ring_buffer(&ring, id), received[id].length};
        gather->message = (struct msghdr){.msg_iov = gather->parts, .msg_iovlen = count};
        entry->addr = (uint64_t)(uintptr_t)&gather->message;
        entry->len = 1;
        c->flying = (uint16_t)count;
    }
    entry->flags = IOSQE_CQE_SKIP_SUCCESS;
    entry->op_flags = MSG_WAITALL | MSG_DONTWAIT | MSG_NOSIGNAL;
    c->sending = SKIPPING;
    if (c->ended || c->queued > c->flying) hurry = 1;
}

static void stage_waiting_send(struct connection *c) {
    struct io_uring_sqe *entry = stage(IORING_OP_SEND, c->fd, c, SEND);
    entry->addr = (uint64_t)(uintptr_t)(c->backlog->bytes + c->backlog->offset);
    entry->len = (uint32_t)(c->backlog->length - c->backlog->offset);
    entry->op_flags = MSG_WAITALL | MSG_NOSIGNAL;
    c->sending = WAITING;
}

/* ---- the queue of received buffers ---- */

static void enqueue(struct connection *c, unsigned id, uint32_t length) {
    ring.buffers_free--;
    received[id].length = length;
    if (c->queued++ == 0) c->first = (uint16_t)id;
    else received[c->last].next = (uint16_t)id;
    c->last = (uint16_t)id;
}

static void return_first(struct connection *c) {
    unsigned id = c->first;
    c->first = received[id].next;
    c->queued--;
    ring_return_buffer(&ring, id);
}

/* Moves all that is queued, less the first `taken` bytes, to the backlog. */
static void move_to_backlog(struct connection *c, size_t taken) {
    size_t bytes = 0;
    for (unsigned i = 0, id = c->first; i < c->queued; i++, id = received[id].next) bytes += received[id].length;
    bytes -= taken;
    struct block *block = bytes ? allocate(sizeof *block + bytes) : NULL;
    size_t length = 0;
    while (c->queued) {
        size_t skipped = taken < received[c->first].length ? taken : received[c->first].length;
        size_t part = received[c->first].length - skipped;
        if (part) memcpy(block->bytes + length, ring_buffer(&ring, c->first) + skipped, part);
        taken -= skipped;
        length += part;
        return_first(c);
    }
    c->flying = 0;
    if (!block) return;
    block->next = NULL;
    block->offset = 0;
    block->length = bytes;
    if (c->backlog) c->backlog_last->next = block;
    else c->backlog = block;
    c->backlog_last = block;
    c->backlog_bytes += bytes;
}

static void drop_backlog_block(struct connection *c) {
    struct block *block = c->backlog;
    c->backlog = block->next;
    c->backlog_bytes -= block->length;
    free(block);
}

/* ---- the life of a connection ---- */

static void list(struct connection *c) {
    if (c->listed) return;
    c->listed = 1;
    output[output_count++] = c;
}

static void more_connections(void) {
    struct connection *slab = NULL;
    size_t count = connections_count + SLAB_CONNECTIONS;
    output = realloc(output, count * sizeof *output);
    submitted = realloc(submitted, count * sizeof *submitted);
    if (!output || !submitted
        || posix_memalign((void **)&slab, sizeof *slab, SLAB_CONNECTIONS * sizeof *slab))
        refuse("out of memory", 0, "free some memory or lower the number of connections");
    memset(slab, 0, SLAB_CONNECTIONS * sizeof *slab);
    for (int i = SLAB_CONNECTIONS; i-- > 0;) {
        slab[i].next = free_connections;
        free_connections = &slab[i];
    }
    connections_count = count;
}

static void opened(int fd) {
    if (!free_connections) more_connections();
    struct connection *c = free_connections;
    free_connections = c->next;
    uint8_t listed = c->listed;
    memset(c, 0, sizeof *c);
    c->listed = listed; /* it may still stand in the list for its predecessor, which harms nobody */
    c->fd = fd;
    stage_receive(c, IORING_RECVSEND_POLL_FIRST); /* data so early is rare: do not try before the poll */
}

/* Close comes after every last completion: close(2) with a request in flight would send no FIN. */
static void close_if_finished(struct connection *c) {
    if (c->receiving || c->sending != IDLE || c->cancels || c->starved) return;
    if (!c->dead && (!c->ended || c->queued || c->backlog)) return;
    while (c->backlog) drop_backlog_block(c);
    stage(IORING_OP_CLOSE, c->fd, NULL, CLOSE)->flags = IOSQE_CQE_SKIP_SUCCESS;
    c->fd = -1;
    c->dead = c->ended = 0;
    c->next = free_connections;
    free_connections = c;
}

static void lost(struct connection *c) {
    if (!c->dead) {
        c->dead = 1;
        if (c->receiving) stage_cancel(c, RECEIVE);
        if (c->sending == WAITING) stage_cancel(c, SEND);
    }
    list(c);
}

static void starve(struct connection *c) {
    c->starved = 1;
    c->next = NULL;
    if (starved_last) starved_last->next = c;
    else starved_first = c;
    starved_last = c;
}

/* Multishot receives end on an empty buffer ring at once, idle or not: start again at most as many as there are buffers. */
static void feed_starved(void) {
    for (uint32_t i = ring.buffers_free; i > 0 && starved_first; i--) {
        struct connection *c = starved_first;
        starved_first = c->next;
        if (!starved_first) starved_last = NULL;
        c->starved = 0;
        if (c->dead) close_if_finished(c);
        else if (!c->paused) stage_receive(c, 0);
    }
}

/* ---- completions ---- */

static void receive_completed(struct connection *c, int32_t result, uint32_t flags) {
    if (flags & IORING_CQE_F_BUFFER) { /* the kernel keeps the buffer when nothing was received */
        enqueue(c, flags >> IORING_CQE_BUFFER_SHIFT, (uint32_t)result);
        list(c);
    }
    if (flags & IORING_CQE_F_MORE) return;
    c->receiving = 0;
    if (result == -ENOBUFS) {
        starve(c);
    } else if (result == 0) {
        c->ended = 1;
        list(c);
    } else if (result > 0 || result == -ECANCELED) {
        if (c->dead) list(c);
        else if (!c->paused) stage_receive(c, 0); /* ended by the kernel's own limits, or no longer paused */
    } else {
        lost(c);
    }
}

/* Only failures of skipping sends come here, and all waiting sends. */
static void send_completed(struct connection *c, int32_t result) {
    int skipping = c->sending == SKIPPING;
    c->sending = IDLE;
    if (c->dead || (result < 0 && result != -EAGAIN && result != -EINTR)) {
        lost(c);
        return;
    }
    size_t taken = result > 0 ? (size_t)result : 0;
    if (skipping) {
        move_to_backlog(c, taken);
    } else {
        c->backlog->offset += taken;
        if (c->backlog->offset == c->backlog->length) drop_backlog_block(c);
    }
    list(c);
}

static void accept_completed(int32_t result, uint32_t flags) {
    if (result >= 0) opened(result);
    if (flags & IORING_CQE_F_MORE) return;
    if (result < 0 && accept_must_pause(-result)) stage_timer();
    else stage_accept();
}

static void completed(uint64_t user_data, int32_t result, uint32_t flags) {
    struct connection *c = (struct connection *)(uintptr_t)(user_data & ~(uint64_t)KIND_MASK);
    switch ((enum kind)(user_data & KIND_MASK)) {
    case RECEIVE: receive_completed(c, result, flags); break;
    case SEND: send_completed(c, result); break;
    case CANCEL:
        c->cancels--;
        list(c);
        break;
    case ACCEPT: accept_completed(result, flags); break;
    case TIMER: stage_accept(); break;
    default: break;
    }
}

static void dispatch(void) {
    uint32_t head = *ring.cq_head, tail = __atomic_load_n(ring.cq_tail, __ATOMIC_ACQUIRE);
    for (; head != tail; head++) {
        const struct io_uring_cqe *entry = &ring.cqes[head & ring.cq_mask];
        completed(entry->user_data, entry->res, entry->flags);
    }
    __atomic_store_n(ring.cq_head, head, __ATOMIC_RELEASE);
}

/* Skipping sends that were submitted and have reported no failure are done. */
static void settle(void) {
    for (size_t i = 0; i < submitted_count; i++) {
        struct connection *c = submitted[i];
        if (c->sending != SKIPPING) continue;
        c->sending = IDLE;
        for (; c->flying; c->flying--) return_first(c);
        if (c->queued || c->ended || c->dead) list(c);
    }
    submitted_count = 0;
}

static void regulate(struct connection *c) {
    if (!c->paused && c->backlog_bytes > BACKLOG_HIGH && !c->ended) {
        c->paused = 1;
        if (c->receiving) stage_cancel(c, RECEIVE);
    } else if (c->paused && c->backlog_bytes <= BACKLOG_LOW) {
        c->paused = 0;
        if (!c->receiving && !c->starved && !c->ended) stage_receive(c, 0);
    }
}

/* Everything that the completions of this turn asked for, one send per connection. */
static void flush(void) {
    for (size_t i = 0; i < output_count; i++) {
        struct connection *c = output[i];
        c->listed = 0;
        if (c->fd < 0) continue; /* closed since it was listed */
        if (c->dead && c->sending != SKIPPING) {
            while (c->queued) return_first(c); /* at once: others may starve */
        } else if (c->sending != SKIPPING) {
            if (c->queued && (c->backlog || c->sending == WAITING)) move_to_backlog(c, 0);
            if (c->sending == IDLE && c->backlog) stage_waiting_send(c);
            if (c->sending == IDLE && c->queued) {
                stage_skipping_send(c);
                submitted[submitted_count++] = c;
            }
            if (c->backlog || c->paused) regulate(c);
        }
        if (c->ended || c->dead) close_if_finished(c);
    }
    output_count = 0;
}

void serve_io_uring(int listening_socket) {
    char text[512];
    listener = listening_socket;
    const char *used = ring_open(&ring);
    more_connections();
    stage_accept();
    snprintf(text, sizeof text,
             "C io_uring, raw system calls; one thread; multishot accept and receive; sends skip success; %s; TCP_NODELAY",
             used);
    announce(listener, text);
    for (;;) {
        int all = ring_turn(&ring, hurry || starved_first ? 0 : 1);
        hurry = 0;
        dispatch();
        if (!all) {
            hurry = 1; /* failures may still be hidden: settle and send in a later turn */
            continue;
        }
        settle();
        flush();
        ring_publish_buffers(&ring);
        if (starved_first) feed_starved();
    }
}
