package dev.headrace.abi.check;

/** Something that knows what a number really is, independently of our classes. */
interface Source {
    /** Its name in the report. */
    String name();

    /** What this source says about a claim. */
    Answer answer(Claim claim);

    /**
     * An answer to a claim.
     *
     * @param verdict whether the source confirms or refutes the claim, or knows nothing about it
     * @param explanation what the source found instead, empty if it confirms
     */
    record Answer(Verdict verdict, String explanation) {
        static final Answer UNKNOWN = new Answer(Verdict.UNKNOWN, "");
        static final Answer CONFIRMED = new Answer(Verdict.CONFIRMED, "");

        static Answer refuted(String explanation) {
            return new Answer(Verdict.REFUTED, explanation);
        }

        static Answer found(Claim claim, long number) {
            return claim.equalTo(number) ? CONFIRMED : refuted("it is " + number);
        }
    }

    enum Verdict {
        CONFIRMED,
        REFUTED,
        UNKNOWN
    }
}
