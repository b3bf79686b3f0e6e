package dev.headrace.engine.driver;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to the kernel, owned by whoever asked for it and reused for life.
 *
 * <p>The owner prepares it, hands it to {@link Driver#stage}, and must not touch it again until its terminal completion
 * record: what it points at (a buffer, a socket address) belongs to the kernel until then, which is why the operation
 * keeps a reference to it.
 *
 * <p>Thread: the loop's. Owns: nothing; it keeps its {@code keeper} reachable.
 */
public final class Operation {
    /** What is asked of the kernel. */
    public enum Kind {
        /** Accepts connections until cancelled or failed; each record's result is a descriptor. */
        ACCEPT,
        /** Receives until cancelled, end of input or failure, into slices that the driver picks. */
        RECEIVE,
        /** Receives once into the caller's memory. */
        RECEIVE_INTO,
        /** Sends bytes from one place; the result may be short. */
        SEND,
        /** Sends bytes from several places described by a {@code struct msghdr}; the result may be short. */
        SEND_GATHER,
        /** Connects to a socket address. */
        CONNECT,
        /** Waits once until the descriptor has one of the {@code poll(2)} events; hang-up and error always count. */
        POLL,
        /** Ends one or both directions of a connection. */
        SHUTDOWN,
        /** Closes the descriptor; nothing else of it may be in flight. */
        CLOSE
    }

    /** Where an operation is on its way. */
    public enum State {
        /** The owner's: to be prepared, staged or dropped. */
        IDLE,
        /** The driver's, not yet submitted. */
        STAGED,
        /** The kernel's, or parked until the kernel reports readiness. */
        IN_FLIGHT,
        /** As before, with a cancellation on its way; data may still come first. */
        CANCELLING
    }

    private OperationOwner owner;
    private Kind kind = Kind.CLOSE;
    private State state = State.IDLE;
    private int fd = -1;
    private int length;
    private int flags;
    private long address;
    private @Nullable Object keeper;
    private boolean quiet;

    /** Changes at each submission, so that a late answer to an earlier one is recognised. */
    int generation;
    /** For the driver: the index under which the kernel knows the operation, or -1. */
    public int slot = -1;
    /** For the driver: where the record of a completion without an entry of its own was put. */
    public int recordIndex;
    /** For queues and free lists of the one who holds the operation. */
    public @Nullable Operation next;

    public Operation(OperationOwner owner) {
        this.owner = owner;
    }

    private Operation prepare(Kind kind, int fd, long address, int length, int flags, @Nullable Object keeper) {
        assert state == State.IDLE : "prepared while " + state;
        this.kind = kind;
        this.fd = fd;
        this.address = address;
        this.length = length;
        this.flags = flags;
        this.keeper = keeper;
        this.quiet = false;
        return this;
    }

    public Operation prepareAccept(int fd) {
        return prepare(Kind.ACCEPT, fd, 0, 0, 0, null);
    }

    public Operation prepareReceive(int fd) {
        return prepare(Kind.RECEIVE, fd, 0, 0, 0, null);
    }

    public Operation prepareReceiveInto(int fd, long address, int length, @Nullable Object keeper) {
        return prepare(Kind.RECEIVE_INTO, fd, address, length, 0, keeper);
    }

    public Operation prepareSend(int fd, long address, int length, @Nullable Object keeper) {
        return prepare(Kind.SEND, fd, address, length, 0, keeper);
    }

    /** The {@code length} is the sum of the parts. */
    public Operation prepareSendGather(int fd, long msghdr, int length, @Nullable Object keeper) {
        return prepare(Kind.SEND_GATHER, fd, msghdr, length, 0, keeper);
    }

    public Operation prepareConnect(int fd, long sockaddr, int sockaddrBytes, @Nullable Object keeper) {
        return prepare(Kind.CONNECT, fd, sockaddr, sockaddrBytes, 0, keeper);
    }

    /** The {@code events} are those of {@code poll(2)}; 0 waits for hang-up and error alone. */
    public Operation preparePoll(int fd, int events) {
        return prepare(Kind.POLL, fd, 0, 0, events, null);
    }

    /** The {@code how} is that of {@code shutdown(2)}. */
    public Operation prepareShutdown(int fd, int how) {
        return prepare(Kind.SHUTDOWN, fd, 0, 0, how, null);
    }

    public Operation prepareClose(int fd) {
        return prepare(Kind.CLOSE, fd, 0, 0, 0, null);
    }

    /**
     * Says that nobody waits for the success of this send: its record may come with the next completions instead of
     * ending a wait.
     */
    public Operation quietly() {
        quiet = true;
        return this;
    }

    /** Moves the beginning of a prepared send forward after a short one. What is left waits for room: it is quiet no more. */
    public void advance(int bytes) {
        assert state == State.IDLE && bytes <= length;
        quiet = false;
        address += bytes;
        length -= bytes;
    }

    /** Adds bytes that lie directly behind those of a send that is not staged yet. */
    public void extend(int bytes) {
        assert state == State.IDLE;
        length += bytes;
    }

    /** Passes a borrowed operation on to the one who will use it. */
    public void ownedBy(OperationOwner newOwner) {
        assert state == State.IDLE;
        owner = newOwner;
    }

    /** Forgets what was kept reachable; after the terminal record. */
    public @Nullable Object clearKeeper() {
        Object kept = keeper;
        keeper = null;
        return kept;
    }

    /** For the driver: a new submission begins. */
    public void begin(State first) {
        assert state == State.IDLE : "staged while " + state;
        state = first;
        generation++;
    }

    /** For the driver. */
    public void moveTo(State next) {
        state = next;
    }

    /** For the driver: distinguishes this submission from all earlier ones. */
    public int generation() {
        return generation;
    }

    public OperationOwner owner() {
        return owner;
    }

    public Kind kind() {
        return kind;
    }

    public State state() {
        return state;
    }

    public boolean idle() {
        return state == State.IDLE;
    }

    public int fd() {
        return fd;
    }

    public long address() {
        return address;
    }

    public int length() {
        return length;
    }

    public int flags() {
        return flags;
    }

    public @Nullable Object keeper() {
        return keeper;
    }

    public boolean quiet() {
        return quiet;
    }

    @Override
    public String toString() {
        return kind + " fd " + fd + " " + state + " #" + generation + " of " + Objects.toIdentityString(owner);
    }
}
