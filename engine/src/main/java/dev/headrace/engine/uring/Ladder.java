package dev.headrace.engine.uring;

import dev.headrace.abi.linux.Errno;
import dev.headrace.abi.linux.IoUring;
import dev.headrace.abi.linux.SystemCalls;
import dev.headrace.engine.driver.Capabilities;

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

    private final SystemCalls calls;
    private final Capabilities.Builder words = new Capabilities.Builder();

    private Ladder(SystemCalls calls) {
        this.calls = calls;
    }

    /**
     * Tries everything.
     *
     * @throws RingRefusedException when io_uring, or a feature without which the engine cannot use it, is not there
     */
    static Rungs climb(SystemCalls calls) throws RingRefusedException {
        return new Ladder(calls).climb();
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
        try (LinuxRing ring = LinuxRing.create(calls, SCRATCH_ENTRIES, 2 * SCRATCH_ENTRIES, flags)) {
            if (!ring.has(IoUring.IORING_FEAT_EXT_ARG)) {
                throw new RingRefusedException("waits with a time-out (Linux 5.11)", Errno.EINVAL);
            }
            if (!ring.has(IoUring.IORING_FEAT_FAST_POLL)) {
                throw new RingRefusedException("requests armed by internal poll (Linux 5.7)", Errno.EINVAL);
            }
            enable(ring, restricted);
            int registered = ring.registerDescriptor();
            note("registered-ring", registered == 1, Errno.name(-registered));
            boolean noIowait = ring.has(IoUring.IORING_FEAT_NO_IOWAIT);
            note("no-iowait", noIowait, "the kernel does not offer it (Linux 6.15)");
            Trials trials = new Trials(calls, ring);
            boolean multishotReceive = trials.multishotReceive();
            note("buffer-ring", true, "");
            note("multishot-receive", multishotReceive, "a receive on a scratch ring ended after one shot (Linux 6.0)");
            boolean multishotAccept = trials.multishotAccept();
            note("multishot-accept", multishotAccept, "an accept on a scratch ring ended after one shot (Linux 5.19)");
            boolean skips = ring.has(IoUring.IORING_FEAT_CQE_SKIP) && trials.skippedCompletion();
            note("skipped-completions", skips, "a request marked so completed all the same (Linux 5.17)");
            return new Rungs(
                    flags,
                    multishotAccept,
                    multishotReceive,
                    skips,
                    registered == 1,
                    noIowait,
                    restricted,
                    words.build());
        }
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

    private void note(String name, boolean works, String otherwise) {
        words.add(name, works, works ? "tried on a scratch ring" : otherwise);
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
