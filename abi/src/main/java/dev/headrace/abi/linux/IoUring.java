package dev.headrace.abi.linux;

import dev.headrace.abi.Header;
import dev.headrace.abi.Since;

/**
 * Constants of io_uring, from linux/io_uring.h.
 */
@Since("5.1")
@Header("linux/io_uring.h")
public final class IoUring {
    // io_uring_params.flags, for io_uring_setup(2)

    public static final int IORING_SETUP_IOPOLL = 1 << 0;
    public static final int IORING_SETUP_SQPOLL = 1 << 1;
    public static final int IORING_SETUP_SQ_AFF = 1 << 2;

    @Since("5.5")
    public static final int IORING_SETUP_CQSIZE = 1 << 3;

    @Since("5.6")
    public static final int IORING_SETUP_CLAMP = 1 << 4;

    @Since("5.6")
    public static final int IORING_SETUP_ATTACH_WQ = 1 << 5;

    @Since("5.10")
    public static final int IORING_SETUP_R_DISABLED = 1 << 6;

    @Since("5.18")
    public static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;

    @Since("5.19")
    public static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;

    @Since("5.19")
    public static final int IORING_SETUP_TASKRUN_FLAG = 1 << 9;

    @Since("5.19")
    public static final int IORING_SETUP_SQE128 = 1 << 10;

    @Since("5.19")
    public static final int IORING_SETUP_CQE32 = 1 << 11;

    @Since("6.0")
    public static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;

    @Since("6.1")
    public static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;

    @Since("6.5")
    public static final int IORING_SETUP_NO_MMAP = 1 << 14;

    @Since("6.5")
    public static final int IORING_SETUP_REGISTERED_FD_ONLY = 1 << 15;

    @Since("6.6")
    public static final int IORING_SETUP_NO_SQARRAY = 1 << 16;

    @Since("6.13")
    public static final int IORING_SETUP_HYBRID_IOPOLL = 1 << 17;

    @Since("6.18")
    public static final int IORING_SETUP_CQE_MIXED = 1 << 18;

    // io_uring_params.features

    @Since("5.4")
    public static final int IORING_FEAT_SINGLE_MMAP = 1 << 0;

    @Since("5.5")
    public static final int IORING_FEAT_NODROP = 1 << 1;

    @Since("5.5")
    public static final int IORING_FEAT_SUBMIT_STABLE = 1 << 2;

    @Since("5.6")
    public static final int IORING_FEAT_RW_CUR_POS = 1 << 3;

    @Since("5.6")
    public static final int IORING_FEAT_CUR_PERSONALITY = 1 << 4;

    @Since("5.7")
    public static final int IORING_FEAT_FAST_POLL = 1 << 5;

    @Since("5.9")
    public static final int IORING_FEAT_POLL_32BITS = 1 << 6;

    @Since("5.11")
    public static final int IORING_FEAT_SQPOLL_NONFIXED = 1 << 7;

    @Since("5.11")
    public static final int IORING_FEAT_EXT_ARG = 1 << 8;

    @Since("5.12")
    public static final int IORING_FEAT_NATIVE_WORKERS = 1 << 9;

    @Since("5.13")
    public static final int IORING_FEAT_RSRC_TAGS = 1 << 10;

    @Since("5.17")
    public static final int IORING_FEAT_CQE_SKIP = 1 << 11;

    @Since("5.18")
    public static final int IORING_FEAT_LINKED_FILE = 1 << 12;

    @Since("6.3")
    public static final int IORING_FEAT_REG_REG_RING = 1 << 13;

    @Since("6.10")
    public static final int IORING_FEAT_RECVSEND_BUNDLE = 1 << 14;

    @Since("6.12")
    public static final int IORING_FEAT_MIN_TIMEOUT = 1 << 15;

    @Since("6.14")
    public static final int IORING_FEAT_RW_ATTR = 1 << 16;

    @Since("6.15")
    public static final int IORING_FEAT_NO_IOWAIT = 1 << 17;

    // flags of io_uring_enter(2)

    public static final int IORING_ENTER_GETEVENTS = 1 << 0;
    public static final int IORING_ENTER_SQ_WAKEUP = 1 << 1;

    @Since("5.10")
    public static final int IORING_ENTER_SQ_WAIT = 1 << 2;

    @Since("5.11")
    public static final int IORING_ENTER_EXT_ARG = 1 << 3;

    @Since("5.18")
    public static final int IORING_ENTER_REGISTERED_RING = 1 << 4;

    @Since("6.12")
    public static final int IORING_ENTER_ABS_TIMER = 1 << 5;

    @Since("6.13")
    public static final int IORING_ENTER_EXT_ARG_REG = 1 << 6;

    @Since("6.15")
    public static final int IORING_ENTER_NO_IOWAIT = 1 << 7;

    // io_uring_sqe.flags

    public static final int IOSQE_FIXED_FILE = 1 << 0;

    @Since("5.2")
    public static final int IOSQE_IO_DRAIN = 1 << 1;

    @Since("5.3")
    public static final int IOSQE_IO_LINK = 1 << 2;

    @Since("5.5")
    public static final int IOSQE_IO_HARDLINK = 1 << 3;

    @Since("5.6")
    public static final int IOSQE_ASYNC = 1 << 4;

    @Since("5.7")
    public static final int IOSQE_BUFFER_SELECT = 1 << 5;

    @Since("5.17")
    public static final int IOSQE_CQE_SKIP_SUCCESS = 1 << 6;

    // io_uring_sqe.opcode

    public static final int IORING_OP_NOP = 0;
    public static final int IORING_OP_READV = 1;
    public static final int IORING_OP_WRITEV = 2;
    public static final int IORING_OP_READ_FIXED = 4;
    public static final int IORING_OP_WRITE_FIXED = 5;
    public static final int IORING_OP_POLL_ADD = 6;
    public static final int IORING_OP_POLL_REMOVE = 7;

    @Since("5.3")
    public static final int IORING_OP_SENDMSG = 9;

    @Since("5.3")
    public static final int IORING_OP_RECVMSG = 10;

    @Since("5.4")
    public static final int IORING_OP_TIMEOUT = 11;

    @Since("5.5")
    public static final int IORING_OP_TIMEOUT_REMOVE = 12;

    @Since("5.5")
    public static final int IORING_OP_ACCEPT = 13;

    @Since("5.5")
    public static final int IORING_OP_ASYNC_CANCEL = 14;

    @Since("5.5")
    public static final int IORING_OP_LINK_TIMEOUT = 15;

    @Since("5.5")
    public static final int IORING_OP_CONNECT = 16;

    @Since("5.6")
    public static final int IORING_OP_CLOSE = 19;

    @Since("5.6")
    public static final int IORING_OP_FILES_UPDATE = 20;

    @Since("5.6")
    public static final int IORING_OP_READ = 22;

    @Since("5.6")
    public static final int IORING_OP_WRITE = 23;

    @Since("5.6")
    public static final int IORING_OP_SEND = 26;

    @Since("5.6")
    public static final int IORING_OP_RECV = 27;

    @Since("5.6")
    public static final int IORING_OP_EPOLL_CTL = 29;

    @Since("5.7")
    public static final int IORING_OP_SPLICE = 30;

    @Since("5.7")
    public static final int IORING_OP_PROVIDE_BUFFERS = 31;

    @Since("5.11")
    public static final int IORING_OP_SHUTDOWN = 34;

    @Since("5.18")
    public static final int IORING_OP_MSG_RING = 40;

    @Since("5.19")
    public static final int IORING_OP_SOCKET = 45;

    @Since("5.19")
    public static final int IORING_OP_URING_CMD = 46;

    @Since("6.0")
    public static final int IORING_OP_SEND_ZC = 47;

    @Since("6.1")
    public static final int IORING_OP_SENDMSG_ZC = 48;

    @Since("6.7")
    public static final int IORING_OP_READ_MULTISHOT = 49;

    @Since("6.8")
    public static final int IORING_OP_FIXED_FD_INSTALL = 54;

    @Since("6.11")
    public static final int IORING_OP_BIND = 56;

    @Since("6.11")
    public static final int IORING_OP_LISTEN = 57;

    @Since("6.15")
    public static final int IORING_OP_RECV_ZC = 58;

    @Since("6.15")
    public static final int IORING_OP_EPOLL_WAIT = 59;

    // io_uring_sqe.ioprio of accept

    @Since("5.19")
    public static final int IORING_ACCEPT_MULTISHOT = 1 << 0;

    @Since("6.10")
    public static final int IORING_ACCEPT_DONTWAIT = 1 << 1;

    @Since("6.10")
    public static final int IORING_ACCEPT_POLL_FIRST = 1 << 2;

    // io_uring_sqe.ioprio of send and receive

    @Since("5.19")
    public static final int IORING_RECVSEND_POLL_FIRST = 1 << 0;

    @Since("6.0")
    public static final int IORING_RECV_MULTISHOT = 1 << 1;

    @Since("6.0")
    public static final int IORING_RECVSEND_FIXED_BUF = 1 << 2;

    @Since("6.2")
    public static final int IORING_SEND_ZC_REPORT_USAGE = 1 << 3;

    @Since("6.10")
    public static final int IORING_RECVSEND_BUNDLE = 1 << 4;

    /** In {@code res} of a zero-copy notification: the data was copied after all. */
    @Since("6.2")
    public static final int IORING_NOTIF_USAGE_ZC_COPIED = 1 << 31;

    // io_uring_sqe.len of poll

    @Since("5.13")
    public static final int IORING_POLL_ADD_MULTI = 1 << 0;

    @Since("5.13")
    public static final int IORING_POLL_UPDATE_EVENTS = 1 << 1;

    @Since("5.13")
    public static final int IORING_POLL_UPDATE_USER_DATA = 1 << 2;

    @Since("6.0")
    public static final int IORING_POLL_ADD_LEVEL = 1 << 3;

    // io_uring_sqe.timeout_flags

    @Since("5.5")
    public static final int IORING_TIMEOUT_ABS = 1 << 0;

    @Since("5.11")
    public static final int IORING_TIMEOUT_UPDATE = 1 << 1;

    @Since("5.15")
    public static final int IORING_TIMEOUT_BOOTTIME = 1 << 2;

    @Since("5.15")
    public static final int IORING_TIMEOUT_REALTIME = 1 << 3;

    @Since("5.16")
    public static final int IORING_TIMEOUT_ETIME_SUCCESS = 1 << 5;

    @Since("6.4")
    public static final int IORING_TIMEOUT_MULTISHOT = 1 << 6;

    // io_uring_sqe.cancel_flags

    @Since("5.19")
    public static final int IORING_ASYNC_CANCEL_ALL = 1 << 0;

    @Since("5.19")
    public static final int IORING_ASYNC_CANCEL_FD = 1 << 1;

    @Since("5.19")
    public static final int IORING_ASYNC_CANCEL_ANY = 1 << 2;

    @Since("6.0")
    public static final int IORING_ASYNC_CANCEL_FD_FIXED = 1 << 3;

    @Since("6.6")
    public static final int IORING_ASYNC_CANCEL_USERDATA = 1 << 4;

    @Since("6.6")
    public static final int IORING_ASYNC_CANCEL_OP = 1 << 5;

    // io_uring_sqe.addr and io_uring_sqe.msg_ring_flags of a message to another ring

    @Since("5.18")
    public static final int IORING_MSG_DATA = 0;

    @Since("6.0")
    public static final int IORING_MSG_SEND_FD = 1;

    @Since("6.0")
    public static final int IORING_MSG_RING_CQE_SKIP = 1 << 0;

    @Since("6.3")
    public static final int IORING_MSG_RING_FLAGS_PASS = 1 << 1;

    // io_uring_sqe.cmd_op of a command to a socket

    @Since("6.7")
    public static final int SOCKET_URING_OP_SIOCINQ = 0;

    @Since("6.7")
    public static final int SOCKET_URING_OP_SIOCOUTQ = 1;

    @Since("6.7")
    public static final int SOCKET_URING_OP_GETSOCKOPT = 2;

    @Since("6.7")
    public static final int SOCKET_URING_OP_SETSOCKOPT = 3;

    // io_uring_sqe.file_index

    /** The kernel picks a free slot of the table of direct descriptors. */
    @Since("5.19")
    public static final int IORING_FILE_INDEX_ALLOC = -1;

    // io_uring_cqe.flags

    @Since("5.7")
    public static final int IORING_CQE_F_BUFFER = 1 << 0;

    @Since("5.13")
    public static final int IORING_CQE_F_MORE = 1 << 1;

    @Since("5.19")
    public static final int IORING_CQE_F_SOCK_NONEMPTY = 1 << 2;

    @Since("6.0")
    public static final int IORING_CQE_F_NOTIF = 1 << 3;

    @Since("6.12")
    public static final int IORING_CQE_F_BUF_MORE = 1 << 4;

    @Since("6.18")
    public static final int IORING_CQE_F_SKIP = 1 << 5;

    @Since("6.18")
    public static final int IORING_CQE_F_32 = 1 << 15;

    @Since("5.7")
    public static final int IORING_CQE_BUFFER_SHIFT = 16;

    // offsets for mmap(2)

    public static final long IORING_OFF_SQ_RING = 0L;
    public static final long IORING_OFF_CQ_RING = 0x8000000L;
    public static final long IORING_OFF_SQES = 0x10000000L;

    @Since("6.4")
    public static final long IORING_OFF_PBUF_RING = 0x80000000L;

    @Since("6.4")
    public static final int IORING_OFF_PBUF_SHIFT = 16;

    // flags in the mapped queues

    public static final int IORING_SQ_NEED_WAKEUP = 1 << 0;

    @Since("5.8")
    public static final int IORING_SQ_CQ_OVERFLOW = 1 << 1;

    @Since("5.19")
    public static final int IORING_SQ_TASKRUN = 1 << 2;

    @Since("5.8")
    public static final int IORING_CQ_EVENTFD_DISABLED = 1 << 0;

    // opcodes of io_uring_register(2)

    public static final int IORING_REGISTER_BUFFERS = 0;
    public static final int IORING_UNREGISTER_BUFFERS = 1;
    public static final int IORING_REGISTER_FILES = 2;
    public static final int IORING_UNREGISTER_FILES = 3;

    @Since("5.2")
    public static final int IORING_REGISTER_EVENTFD = 4;

    @Since("5.2")
    public static final int IORING_UNREGISTER_EVENTFD = 5;

    @Since("5.5")
    public static final int IORING_REGISTER_FILES_UPDATE = 6;

    @Since("5.6")
    public static final int IORING_REGISTER_PROBE = 8;

    @Since("5.10")
    public static final int IORING_REGISTER_RESTRICTIONS = 11;

    @Since("5.10")
    public static final int IORING_REGISTER_ENABLE_RINGS = 12;

    @Since("5.13")
    public static final int IORING_REGISTER_FILES2 = 13;

    @Since("5.13")
    public static final int IORING_REGISTER_FILES_UPDATE2 = 14;

    @Since("5.15")
    public static final int IORING_REGISTER_IOWQ_MAX_WORKERS = 19;

    @Since("5.18")
    public static final int IORING_REGISTER_RING_FDS = 20;

    @Since("5.18")
    public static final int IORING_UNREGISTER_RING_FDS = 21;

    @Since("5.19")
    public static final int IORING_REGISTER_PBUF_RING = 22;

    @Since("5.19")
    public static final int IORING_UNREGISTER_PBUF_RING = 23;

    @Since("6.0")
    public static final int IORING_REGISTER_SYNC_CANCEL = 24;

    @Since("6.0")
    public static final int IORING_REGISTER_FILE_ALLOC_RANGE = 25;

    @Since("6.8")
    public static final int IORING_REGISTER_PBUF_STATUS = 26;

    @Since("6.9")
    public static final int IORING_REGISTER_NAPI = 27;

    @Since("6.9")
    public static final int IORING_UNREGISTER_NAPI = 28;

    @Since("6.12")
    public static final int IORING_REGISTER_CLOCK = 29;

    @Since("6.13")
    public static final int IORING_REGISTER_SEND_MSG_RING = 31;

    @Since("6.15")
    public static final int IORING_REGISTER_ZCRX_IFQ = 32;

    @Since("6.13")
    public static final int IORING_REGISTER_RESIZE_RINGS = 33;

    @Since("6.13")
    public static final int IORING_REGISTER_MEM_REGION = 34;

    @Since("6.18")
    public static final int IORING_REGISTER_QUERY = 35;

    /** Added to an opcode: the descriptor is an index of a registered ring. */
    @Since("6.3")
    public static final int IORING_REGISTER_USE_REGISTERED_RING = 1 << 31;

    // arguments of io_uring_register(2)

    @Since("5.6")
    public static final int IO_URING_OP_SUPPORTED = 1 << 0;

    @Since("5.12")
    public static final int IORING_REGISTER_FILES_SKIP = -2;

    @Since("5.19")
    public static final int IORING_RSRC_REGISTER_SPARSE = 1 << 0;

    @Since("6.4")
    public static final int IOU_PBUF_RING_MMAP = 1;

    @Since("6.12")
    public static final int IOU_PBUF_RING_INC = 2;

    @Since("5.10")
    public static final int IORING_RESTRICTION_REGISTER_OP = 0;

    @Since("5.10")
    public static final int IORING_RESTRICTION_SQE_OP = 1;

    @Since("5.10")
    public static final int IORING_RESTRICTION_SQE_FLAGS_ALLOWED = 2;

    @Since("5.10")
    public static final int IORING_RESTRICTION_SQE_FLAGS_REQUIRED = 3;

    private IoUring() {}
}
