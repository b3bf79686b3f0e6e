package dev.headrace.lab.race;

import dev.headrace.lab.measure.Cores;
import java.util.List;

/**
 * Says which core the servers run on and which the load.
 *
 * <p>Thread: any; immutable.
 *
 * @param server cores of the servers
 * @param load cores of the load generator
 */
public record Placement(List<Integer> server, List<Integer> load) {
    /** A core for the servers and another for the load; when there is but one, both share it. */
    public static Placement choose() {
        return choose(Cores.allowed());
    }

    static Placement choose(List<Integer> allowed) {
        int load = allowed.getFirst();
        int server = load;
        for (int core : allowed) {
            // Interrupts of devices go to low cores first, so the servers get the highest. A hardware thread of the
            // load's own core is the last resort.
            boolean better = server == load || !Cores.share(core, load) || Cores.share(server, load);
            if (core != load && better) {
                server = core;
            }
        }
        return new Placement(List.of(server), List.of(load));
    }

    /** Whether servers and load have a core each. */
    public boolean apart() {
        return !server.equals(load);
    }

    /** One line for the reader of a result. */
    public String describe() {
        return apart()
                ? "servers on core " + server.getFirst() + ", load on core " + load.getFirst()
                : "servers and load share core " + server.getFirst()
                        + ", the only one there is: rates and latencies say little";
    }
}
