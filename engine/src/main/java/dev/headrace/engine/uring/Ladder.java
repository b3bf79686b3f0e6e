package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.driver.Capabilities;
import java.util.List;
import java.util.Set;

/**
 * Finds out, rung by rung, which of io_uring's optional features this kernel has: each is tried, none inferred from a
 * version, since distributions port features back and break them both ways.
 *
 * <p>Setup flags are tried on rings of their own; what concerns requests is tried by one real request each on a scratch
 * ring. The whole takes about a millisecond.
 *
 * <p>Thread: any one. Owns: the scratch rings, for the duration of the climb.
 */
final class Ladder {
    private static final int SCRATCH_ENTRIES = 8;

    private static final String MASKED = "masked";

    /** The rungs, from the ground up. Each can be done without. */
    static final List<String> NAMES = List.of(
            "submit-all",
            "single-issuer",
            "defer-taskrun",
            "coop-taskrun",
            "no-sqarray",
            "restrictions",
            "registered-ring",
            "no-iowait",
            "buffer-ring",
            "multishot-receive",
            "multishot-accept",
            "skipped-completions");

    private final SystemCalls calls;
    private final Set<String> masked;
    private final Capabilities.Builder words = new Capabilities.Builder();

    private Ladder(SystemCalls calls, Set<String> masked) {
        this.calls = calls;
        this.masked = masked;
    }

    /**
     * Tries everything.
     *
     * @param masked names of rungs to do without although they may work here
     * @throws RingRefusedException when io_uring, or a feature without which the engine cannot use it, is not there
     */
    static Rungs climb(SystemCalls calls, Set<String> masked) throws RingRefusedException {
        return new Ladder(calls, masked).climb();
    }

    private Rungs climb() throws RingRefusedException {
        requireRing();
        int flags = tryFlag("submit-all", IoUring.IORING_SETUP_SUBMIT_ALL, 0);
        int single = tryFlag("single-issuer", IoUring.IORING_SETUP_SINGLE_ISSUER, 0);
        int defer = single == 0
                ? missing("defer-taskrun", "needs single-issuer")
                : tryFlag("defer-taskrun", IoUring.IORING_SETUP_DEFER_TASKRUN, single);
        int cooperative = defer != 0 ? 0 : tryFlag("coop-taskrun", IoUring.IORING_SETUP_COOP_TASKRUN, 0);
        flags |= single | defer | cooperative | tryFlag("no-sqarray", IoUring.IORING_SETUP_NO_SQARRAY, 0);
        boolean restricted = tryRestrictions(flags);
        flags |= restricted ? IoUring.IORING_SETUP_R_DISABLED : 0;
        return tryRequests(flags, restricted);
    }

    private void requireRing() throws RingRefusedException {
        LinuxRing.create(calls, SCRATCH_ENTRIES, 2 * SCRATCH_ENTRIES, 0).close();
    }

    /** The flag when a ring with it (and what it needs) can be had, otherwise 0. */
    private int tryFlag(String name, int flag, int needed) {
        if (masked.contains(name)) {
            return missing(name, MASKED);
        }
        try {
            LinuxRing.create(calls, SCRATCH_ENTRIES, 2 * SCRATCH_ENTRIES, flag | needed)
                    .close();
            words.add(name, true, "a ring with the flag was created");
            return flag;
        } catch (RingRefusedException e) {
            return missing(name, Errno.name(e.errno()));
        }
    }

    private int missing(String name, String reason) {
        words.add(name, false, reason);
        return 0;
    }

    private boolean tryRestrictions(int flags) {
        if (masked.contains("restrictions")) {
            words.add("restrictions", false, MASKED);
            return false;
        }
        try (LinuxRing ring = LinuxRing.create(
                calls, SCRATCH_ENTRIES, 2 * SCRATCH_ENTRIES, flags | IoUring.IORING_SETUP_R_DISABLED)) {
            int result = Restrictions.register(ring);
            if (result == 0) {
                result = ring.enable();
            }
            words.add("restrictions", result == 0, result == 0 ? "set on a scratch ring" : Errno.name(-result));
            return result == 0;
        } catch (RingRefusedException e) {
            words.add("restrictions", false, Errno.name(e.errno()));
            return false;
        }
    }

    /** Tries requests on a ring that is set up exactly as the real one will be. */
    private Rungs tryRequests(int flags, boolean restricted) throws RingRefusedException {
        try (LinuxRing ring = LinuxRing.create(calls, SCRATCH_ENTRIES, 2 * SCRATCH_ENTRIES, flags);
                Trials trials = new Trials(calls, ring)) {
            if (!ring.has(IoUring.IORING_FEAT_EXT_ARG)) {
                throw new RingRefusedException("waits with a time-out (Linux 5.11)", Errno.EINVAL);
            }
            if (!ring.has(IoUring.IORING_FEAT_FAST_POLL)) {
                throw new RingRefusedException("requests armed by internal poll (Linux 5.7)", Errno.EINVAL);
            }
            enable(ring, restricted);
            int registered = masked.contains("registered-ring") ? 0 : ring.registerDescriptor();
            boolean registeredRing = note("registered-ring", registered == 1, Errno.name(-registered));
            boolean noIowait = note(
                    "no-iowait", ring.has(IoUring.IORING_FEAT_NO_IOWAIT), "the kernel does not offer it (Linux 6.15)");
            String ringRefused = trials.bufferRingRefused();
            boolean bufferRing = note("buffer-ring", ringRefused == null, ringRefused + "");
            boolean multishotReceive = tryReceive(trials, bufferRing);
            boolean multishotAccept = note(
                    "multishot-accept",
                    trials.multishotAccept(),
                    "an accept on a scratch ring ended after one shot (Linux 5.19)");
            boolean skips = note(
                    "skipped-completions",
                    ring.has(IoUring.IORING_FEAT_CQE_SKIP) && trials.skippedCompletion(),
                    "a request marked so completed all the same (Linux 5.17)");
            return new Rungs(
                    flags,
                    bufferRing,
                    multishotAccept,
                    multishotReceive,
                    skips,
                    registeredRing,
                    noIowait,
                    restricted,
                    words.build());
        }
    }

    /** Whether a receive into a provided buffer stays armed; without provided buffers there is no use of a ring. */
    private boolean tryReceive(Trials trials, boolean bufferRing) throws RingRefusedException {
        int flags = trials.receive(bufferRing, true);
        boolean staysArmed = flags >= 0 && (flags & IoUring.IORING_CQE_F_MORE) != 0;
        String otherwise = flags < 0 ? Errno.name(-flags) : "a receive on a scratch ring ended after one shot";
        boolean multishot = note("multishot-receive", staysArmed, otherwise + " (Linux 6.0)");
        if (!multishot) {
            int single = trials.receive(bufferRing, false);
            if (single < 0) {
                throw new RingRefusedException("receive into a provided buffer (Linux 5.7)", -single);
            }
        }
        return multishot;
    }

    /** Records whether a rung is in use: it works, and is not masked. */
    private boolean note(String name, boolean works, String otherwise) {
        boolean used = works && !masked.contains(name);
        words.add(name, used, used ? "tried on a scratch ring" : masked.contains(name) ? MASKED : otherwise);
        return used;
    }

    private static void enable(LinuxRing ring, boolean restricted) throws RingRefusedException {
        if (restricted) {
            int result = Restrictions.register(ring);
            result = result < 0 ? result : ring.enable();
            if (result < 0) {
                throw new RingRefusedException("enabling a restricted ring", -result);
            }
        }
    }

    /** Creates the ring that a driver uses, as the climb found best; it is enabled on the calling thread. */
    static LinuxRing build(SystemCalls calls, Rungs rungs, int submissionEntries, int completionEntries)
            throws RingRefusedException {
        LinuxRing ring = LinuxRing.create(calls, submissionEntries, completionEntries, rungs.setupFlags());
        try {
            enable(ring, rungs.restricted());
        } catch (RingRefusedException e) {
            ring.close();
            throw e;
        }
        if (rungs.registeredRing()) {
            // The table of registered rings holds 16 a thread; without an entry the descriptor serves.
            ring.registerDescriptor();
        }
        if (rungs.noIowait()) {
            ring.waitWithoutIowait();
        }
        return ring;
    }
}
