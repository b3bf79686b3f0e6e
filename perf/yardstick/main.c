/* The command line, the listening socket, and the end of the process. */
#define _GNU_SOURCE
#include "common.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 4096, BIND_TRIES = 50, BIND_PAUSE_MICROS = 20000 };

void refuse(const char *what, int error, const char *remedy) {
    fprintf(stderr, "yardstick: %s%s%s; %s\n", what, error ? ": " : "", error ? strerror(error) : "", remedy);
    exit(1);
}

void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory) refuse("out of memory", 0, "free some memory or lower the number of connections");
    return memory;
}

int accept_must_pause(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

static sem_t watching;

/*
 * The parent is gone when stdin ends. The thread gives up sharing the descriptor table at once (unshare(2), CLONE_FILES):
 * with a table of one user the kernel takes no reference on a file during a system call, and the server stays what it
 * would be without a watcher.
 */
static void *watch_stdin(void *unused) {
    (void)unused;
    unshare(CLONE_FILES);
    sem_post(&watching);
    char ignored[256];
    ssize_t count;
    do {
        count = read(STDIN_FILENO, ignored, sizeof ignored);
    } while (count > 0 || (count < 0 && errno == EINTR));
    _exit(0);
}

static void terminated(int signal_number) {
    (void)signal_number;
    _exit(0);
}

static void end_with_parent(void) {
    pthread_t thread;
    signal(SIGTERM, terminated);
    sem_init(&watching, 0, 0);
    if (pthread_create(&thread, NULL, watch_stdin, NULL)) refuse("cannot start a thread", 0, "raise the process limit");
    pthread_detach(thread);
    while (sem_wait(&watching) < 0 && errno == EINTR) {
    }
}

void announce(int listener, const char *configuration) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getsockname(listener, (struct sockaddr *)&address, &length) < 0)
        refuse("cannot read the listening address", errno, "try another address");
    if (getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        refuse("cannot print the listening address", 0, "try another address");
    const char *format = address.ss_family == AF_INET6 ? "listening on [%s]:%s | %s\n" : "listening on %s:%s | %s\n";
    printf(format, host, port, configuration);
    fflush(stdout);
    end_with_parent();
}

static void raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* A killed predecessor's port can stay busy for a moment (up to about 200 ms were seen): the retry is bounded at 1 s. */
static int bind_patiently(int listener, const struct addrinfo *address) {
    for (int i = 0; i < BIND_TRIES; i++) {
        if (bind(listener, address->ai_addr, address->ai_addrlen) == 0) return 0;
        if (errno != EADDRINUSE) return -1;
        usleep(BIND_PAUSE_MICROS);
    }
    errno = EADDRINUSE;
    return -1;
}

/* TCP_NODELAY is inherited by what the listener accepts (tcp(7)), so no connection pays a system call for it. */
static int listen_on(const char *host, const char *port, int type_flags) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *address;
    char what[320];
    int on = 1, error = getaddrinfo(host, port, &hints, &address);
    if (error) {
        snprintf(what, sizeof what, "cannot resolve %s port %s: %s", host, port, gai_strerror(error));
        refuse(what, 0, "give an address of this machine and a port number");
    }
    int listener = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | type_flags, 0);
    if (listener < 0) refuse("cannot create a socket", errno, "raise the descriptor limit (ulimit -n)");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (bind_patiently(listener, address) < 0 || listen(listener, BACKLOG) < 0) {
        error = errno;
        snprintf(what, sizeof what, "cannot listen on %s port %s", host, port);
        refuse(what, error,
               error == EADDRINUSE ? "stop the process that has the port, or give port 0 for a free one"
               : error == EACCES   ? "give a port above 1023 or the capability CAP_NET_BIND_SERVICE"
                                   : "give an address of this machine");
    }
    freeaddrinfo(address);
    return listener;
}

static int is_port(const char *text) {
    char *end;
    long port = strtol(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0 && port <= 65535;
}

int main(int count, char **arguments) {
    const char *mode = count == 4 ? arguments[1] : "";
    int ring = strcmp(mode, "io_uring") == 0, edge = strcmp(mode, "epoll-et") == 0;
    if ((!ring && !edge && strcmp(mode, "epoll") != 0) || !is_port(arguments[3])) {
        fprintf(stderr, "usage: yardstick epoll|epoll-et|io_uring HOST PORT (port 0: a free one)\n");
        return 2;
    }
    raise_descriptor_limit();
    int listener = listen_on(arguments[2], arguments[3], ring ? 0 : SOCK_NONBLOCK);
    if (ring) serve_io_uring(listener);
    serve_epoll(listener, edge);
}
