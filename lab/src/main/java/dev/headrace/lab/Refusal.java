package dev.headrace.lab;

/**
 * Says that something asked for cannot be had here: one line that names the cause and, where there is one, the remedy.
 * It is meant for the user's eyes as it stands.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Refusal(String causeAndRemedy) {
        super(causeAndRemedy);
    }

    public Refusal(String causeAndRemedy, Throwable cause) {
        super(causeAndRemedy, cause);
    }
}
