package dev.headrace.engine.driver;

/** Sets the generation of an operation, so that its wrap-around can be tested without 2^32 submissions. */
public final class Generations {
    private Generations() {}

    public static void set(Operation operation, int generation) {
        operation.generation = generation;
    }
}
