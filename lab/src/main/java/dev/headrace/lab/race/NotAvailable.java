package dev.headrace.lab.race;

/**
 * Stands for the figures of a server under a load that its kernel interface cannot carry.
 *
 * <p>Thread: any; immutable.
 */
public record NotAvailable(String server, Cell cell, InterfaceLimit limit) {}
