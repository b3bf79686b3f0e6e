package dev.headrace.engine.uring;

/**
 * How the kernel gets the slices that it receives into, without knowing yet for which connection.
 *
 * <p>A slice is offered under its own id and is the kernel's until a completion names it. The supply is topped up from
 * the pool before each entry to the kernel, so it shrinks only when the pool is empty.
 *
 * <p>Thread: the ring's. Owns: each slice on offer until it is named.
 */
interface BufferSupply extends AutoCloseable {
    /** For a ring on which nothing is received. */
    BufferSupply NONE = new BufferSupply() {
        @Override
        public void topUp(SubmissionQueue submissions) {
            // Nobody asks for one.
        }

        @Override
        public void named(int id) {
            throw new AssertionError("the kernel named buffer " + id + ", and it was offered none");
        }

        @Override
        public void close() {
            // There is none.
        }
    };

    /** The group that receives select their buffer from. */
    int GROUP = 0;

    /** Offers free slices until the kernel holds as many as it may, the pool is empty, or the queue full. */
    void topUp(SubmissionQueue submissions);

    /** A completion named a slice: it is ours again. */
    void named(int id);

    /** Takes the slices back that the kernel still holds; no receive may be armed. */
    @Override
    void close();
}
