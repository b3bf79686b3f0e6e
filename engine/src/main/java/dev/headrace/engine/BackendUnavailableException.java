package dev.headrace.engine;

import java.io.IOException;

/** A backend that was asked for by name cannot be used here; the message has cause and remedy. */
public final class BackendUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Backend backend;

    public BackendUnavailableException(Backend backend, String because) {
        super(backend.id() + " is not available: " + because);
        this.backend = backend;
    }

    public Backend backend() {
        return backend;
    }
}
