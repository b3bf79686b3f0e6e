/*
 * The part of the kernel's io_uring interface that the yardstick uses, spelled as the kernel spells it (io_uring_setup(2),
 * io_uring_enter(2), io_uring_register(2)). It is written out because installed headers are often years older than the
 * kernel they run on; the interface itself never changes incompatibly.
 */
#ifndef YARDSTICK_URING_ABI_H
#define YARDSTICK_URING_ABI_H

#include <stdint.h>

enum { NR_io_uring_setup = 425, NR_io_uring_enter = 426, NR_io_uring_register = 427 };

#define IORING_OFF_SQ_RING 0ULL
#define IORING_OFF_SQES 0x10000000ULL

/* Flags of io_uring_setup. */
#define IORING_SETUP_CQSIZE (1U << 3)
#define IORING_SETUP_CLAMP (1U << 4)
#define IORING_SETUP_R_DISABLED (1U << 6)
#define IORING_SETUP_SUBMIT_ALL (1U << 7)     /* 5.18 */
#define IORING_SETUP_COOP_TASKRUN (1U << 8)   /* 5.19 */
#define IORING_SETUP_TASKRUN_FLAG (1U << 9)   /* 5.19 */
#define IORING_SETUP_SINGLE_ISSUER (1U << 12) /* 6.0 */
#define IORING_SETUP_DEFER_TASKRUN (1U << 13) /* 6.1 */
#define IORING_SETUP_NO_SQARRAY (1U << 16)    /* 6.6 */

#define IORING_FEAT_SINGLE_MMAP (1U << 0)
#define IORING_FEAT_NODROP (1U << 1)
#define IORING_FEAT_NO_IOWAIT (1U << 17) /* 6.15 */

#define IORING_ENTER_GETEVENTS (1U << 0)
#define IORING_ENTER_REGISTERED_RING (1U << 4) /* 5.18 */
#define IORING_ENTER_NO_IOWAIT (1U << 7)       /* 6.15 */

#define IORING_SQ_CQ_OVERFLOW (1U << 1)

#define IORING_REGISTER_ENABLE_RINGS 12
#define IORING_REGISTER_RING_FDS 20
#define IORING_REGISTER_PBUF_RING 22

enum {
    IORING_OP_SENDMSG = 9,
    IORING_OP_TIMEOUT = 11,
    IORING_OP_ACCEPT = 13,
    IORING_OP_ASYNC_CANCEL = 14,
    IORING_OP_CLOSE = 19,
    IORING_OP_SEND = 26,
    IORING_OP_RECV = 27
};

#define IOSQE_BUFFER_SELECT (1U << 5)
#define IOSQE_CQE_SKIP_SUCCESS (1U << 6)

/* In ioprio. */
#define IORING_RECVSEND_POLL_FIRST (1U << 0)
#define IORING_RECV_MULTISHOT (1U << 1)
#define IORING_ACCEPT_MULTISHOT (1U << 0)

#define IORING_CQE_F_BUFFER (1U << 0)
#define IORING_CQE_F_MORE (1U << 1)
#define IORING_CQE_BUFFER_SHIFT 16

struct io_uring_sqe {
    uint8_t opcode;
    uint8_t flags;
    uint16_t ioprio;
    int32_t fd;
    uint64_t off;
    uint64_t addr;
    uint32_t len;
    uint32_t op_flags; /* msg_flags, accept_flags, cancel_flags, timeout_flags */
    uint64_t user_data;
    uint16_t buf_group;
    uint16_t personality;
    int32_t file_index;
    uint64_t addr3;
    uint64_t pad;
};

struct io_uring_cqe {
    uint64_t user_data;
    int32_t res;
    uint32_t flags;
};

struct io_sqring_offsets {
    uint32_t head, tail, ring_mask, ring_entries, flags, dropped, array, resv1;
    uint64_t user_addr;
};

struct io_cqring_offsets {
    uint32_t head, tail, ring_mask, ring_entries, overflow, cqes, flags, resv1;
    uint64_t user_addr;
};

struct io_uring_params {
    uint32_t sq_entries, cq_entries, flags, sq_thread_cpu, sq_thread_idle, features, wq_fd, resv[3];
    struct io_sqring_offsets sq_off;
    struct io_cqring_offsets cq_off;
};

struct io_uring_rsrc_update {
    uint32_t offset, resv;
    uint64_t data;
};

struct io_uring_buf {
    uint64_t addr;
    uint32_t len;
    uint16_t bid;
    uint16_t resv; /* in the first entry: the tail of the ring */
};

struct io_uring_buf_reg {
    uint64_t ring_addr;
    uint32_t ring_entries;
    uint16_t bgid, flags;
    uint64_t resv[3];
};

_Static_assert(sizeof(struct io_uring_sqe) == 64, "io_uring_sqe");
_Static_assert(sizeof(struct io_uring_cqe) == 16, "io_uring_cqe");
_Static_assert(sizeof(struct io_uring_params) == 120, "io_uring_params");
_Static_assert(sizeof(struct io_uring_buf) == 16, "io_uring_buf");
_Static_assert(sizeof(struct io_uring_buf_reg) == 40, "io_uring_buf_reg");

#endif
