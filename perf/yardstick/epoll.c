/*
 * Echo over epoll, level- or edge-triggered. One buffer serves all connections: what was read is written back at once,
 * so it is still in the first-level cache, and only what the socket refuses is kept, per connection, with reading paused.
 */
#define _GNU_SOURCE
#include "common.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    EVENTS_MAX = 512,
    READ_BYTES = 65536,
    ACCEPTS_MAX = 256, /* a storm of connections must not keep the others waiting */
    READS_MAX = 16     /* nor may one fast sender (edge-triggered: the rest is read in the next turn) */
};

/* After these, a short read is no proof that the socket is empty: end of stream, error or urgent data is behind it. */
enum { READ_TO_END = EPOLLRDHUP | EPOLLHUP | EPOLLERR | EPOLLPRI };

struct connection {
    int fd;
    unsigned char to_end;    /* edge-triggered: read until EAGAIN or end of stream */
    unsigned char postponed; /* edge-triggered: in the list of those with something left to read */
    char *rest;              /* what the socket refused so far: rest_length bytes from rest_offset; null if none */
    size_t rest_offset, rest_length;
    struct connection *next; /* in the free list or the postponed list */
};

static int poll_fd, edge;
static char buffer[READ_BYTES] __attribute__((aligned(4096)));
static struct connection *free_connections, *postponed_first, *postponed_last;

static void postpone(struct connection *c) {
    if (c->postponed) return;
    c->postponed = 1;
    c->next = NULL;
    if (postponed_last) postponed_last->next = c;
    else postponed_first = c;
    postponed_last = c;
}

/* close(2) takes the descriptor out of the epoll set: it has no duplicate. Each connection has at most one event in a
   batch and is closed only while that one is handled, so no stale event can meet the next owner of the number. */
static void end(struct connection *c) {
    close(c->fd);
    free(c->rest);
    c->next = free_connections;
    free_connections = c;
}

static void set_interest(struct connection *c, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(poll_fd, EPOLL_CTL_MOD, c->fd, &event) < 0)
        refuse("cannot change an epoll interest", errno, "raise fs.epoll.max_user_watches");
}

/* Returns 1 when all was written, 0 when the socket is full, -1 when the connection is lost. */
static int write_some(int fd, const char *from, size_t length, size_t *written) {
    while (*written < length) {
        ssize_t sent = send(fd, from + *written, length - *written, MSG_NOSIGNAL);
        if (sent >= 0) *written += (size_t)sent;
        else if (errno == EAGAIN) return 0;
        else if (errno != EINTR) return -1;
    }
    return 1;
}

static int echo(struct connection *c, size_t length) {
    size_t written = 0;
    int state = write_some(c->fd, buffer, length, &written);
    if (state != 0) return state;
    c->rest_length = length - written;
    c->rest_offset = 0;
    c->rest = allocate(c->rest_length);
    memcpy(c->rest, buffer + written, c->rest_length);
    if (!edge) set_interest(c, EPOLLOUT);
    return 0;
}

static int write_rest(struct connection *c) {
    int state = write_some(c->fd, c->rest, c->rest_length, &c->rest_offset);
    if (state == 1) {
        free(c->rest);
        c->rest = NULL;
        if (!edge) set_interest(c, EPOLLIN);
    }
    return state;
}

/* Level-triggered: one read per event; if there is more, the next epoll_wait says so. */
static void ready_level(struct connection *c) {
    if (c->rest) {
        if (write_rest(c) < 0) end(c);
        return;
    }
    ssize_t count = recv(c->fd, buffer, sizeof buffer, 0);
    if (count > 0) {
        if (echo(c, (size_t)count) < 0) end(c);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        end(c);
    }
}

/*
 * Edge-triggered: reads until the socket is empty. A short read proves that (epoll(7)) unless READ_TO_END was reported;
 * whatever arrives later, the end of the stream too, is a new edge. Writing room is an edge as well, registered once.
 */
static void ready_edge(struct connection *c) {
    if (c->rest) {
        int state = write_rest(c);
        if (state < 0) end(c);
        if (state <= 0) return;
    }
    for (int i = 0; i < READS_MAX; i++) {
        ssize_t count = recv(c->fd, buffer, sizeof buffer, 0);
        if (count <= 0) {
            if (count < 0 && errno == EINTR) continue;
            if (count == 0 || errno != EAGAIN) end(c);
            return;
        }
        int state = echo(c, (size_t)count);
        if (state < 0) end(c);
        if (state <= 0) return; /* full: the edge that announces room comes back here and goes on reading */
        if (count < READ_BYTES && !c->to_end) return;
    }
    postpone(c);
}

static struct connection *new_connection(int fd) {
    struct connection *c = free_connections;
    if (c) free_connections = c->next;
    else c = allocate(sizeof *c);
    memset(c, 0, sizeof *c);
    c->fd = fd;
    return c;
}

/* Returns 0 when accepting must rest. */
static int accept_some(int listener) {
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EAGAIN) return 1;
            if (accept_must_pause(errno)) return 0;
            continue; /* the network's errors on the new socket, to be ignored: accept(2) */
        }
        struct connection *c = new_connection(fd);
        uint32_t events = edge ? EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET : EPOLLIN;
        struct epoll_event event = {.events = events, .data.ptr = c};
        if (epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event) < 0) end(c);
    }
    return 1;
}

static int64_t now_millis(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* The listener stays level-triggered in both modes; its data pointer is null. */
static void watch_listener(int listener, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = NULL};
    if (epoll_ctl(poll_fd, operation, listener, &event) < 0)
        refuse("cannot watch the listening socket", errno, "raise fs.epoll.max_user_watches");
}

static void read_postponed(void) {
    struct connection *c = postponed_first;
    postponed_first = postponed_last = NULL;
    while (c) {
        struct connection *next = c->next;
        c->postponed = 0;
        ready_edge(c);
        c = next;
    }
}

static void ready(struct connection *c, uint32_t events) {
    if (!edge) {
        ready_level(c);
        return;
    }
    if (events & READ_TO_END) c->to_end = 1;
    if (!c->postponed) ready_edge(c);
}

void serve_epoll(int listener, int edge_triggered) {
    static struct epoll_event events[EVENTS_MAX];
    int64_t resume_millis = 0; /* when accepting goes on, 0 while it does */
    edge = edge_triggered;
    poll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (poll_fd < 0) refuse("cannot create an epoll set", errno, "raise the descriptor limit (ulimit -n)");
    watch_listener(listener, EPOLL_CTL_ADD, EPOLLIN);
    char text[200];
    snprintf(text, sizeof text, "C epoll, %s-triggered; one thread; shared %d KiB buffer; %d events a turn; TCP_NODELAY",
             edge ? "edge" : "level", READ_BYTES / 1024, EVENTS_MAX);
    announce(listener, text);
    for (;;) {
        int timeout = postponed_first ? 0 : resume_millis ? ACCEPT_PAUSE_MILLIS : -1;
        int count = epoll_wait(poll_fd, events, EVENTS_MAX, timeout);
        if (count < 0 && errno != EINTR) refuse("epoll_wait failed", errno, "report this");
        for (int i = 0; i < count; i++) {
            struct connection *c = events[i].data.ptr;
            if (c) {
                ready(c, events[i].events);
            } else if (!accept_some(listener)) {
                resume_millis = now_millis() + ACCEPT_PAUSE_MILLIS;
                watch_listener(listener, EPOLL_CTL_MOD, 0);
            }
        }
        if (postponed_first) read_postponed();
        if (resume_millis && now_millis() >= resume_millis) {
            resume_millis = 0;
            watch_listener(listener, EPOLL_CTL_MOD, EPOLLIN);
        }
    }
}
