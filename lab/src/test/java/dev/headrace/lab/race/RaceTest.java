package dev.headrace.lab.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.lab.measure.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Races of whole processes, as short as they can be. */
class RaceTest {
    private static final Installation INSTALLATION = Installation.ofThisProcess("unused");
    private static final long NEVER = Long.MAX_VALUE;

    @Test
    void measuresEveryServerUnderEveryLoad() throws Exception {
        Commentary heard = new Commentary();
        Summary summary = Summary.of(race(
                heard,
                3,
                List.of(new Cell(2, 100, 1), new Cell(2, 100, 4)),
                tiny("a-io_uring", "echo", NEVER),
                tiny("b-epoll", "echo", NEVER)));
        assertThat(summary.result().failures()).isEmpty();
        assertThat(summary.result().endedEarly()).isFalse();
        assertThat(summary.rows())
                .extracting(row -> row.server() + " " + row.cell().depth())
                .containsExactly("a-io_uring 1", "b-epoll 1", "a-io_uring 4", "b-epoll 4");
        for (Row row : summary.rows()) {
            assertThat(row.rounds()).isEqualTo(3);
            assertThat(row.roundsCpuMicros()).hasSize(3);
            assertThat(row.messagesPerSecond()).isGreaterThan(100);
            assertThat(row.p50Micros()).isPositive().isLessThanOrEqualTo(row.p99Micros());
            assertThat(row.cpuMicros().median()).isBetween(0.1, 10_000.0);
        }
        assertThat(heard.started).containsExactly("a-io_uring: tiny, echo", "b-epoll: tiny, echo");
        assertThat(summary.ratios()).extracting(Ratio::a).containsExactly("a-io_uring", "a-io_uring");
        assertThat(summary.verdicts())
                .hasSize(2)
                .allMatch(verdict -> verdict.contains("3 rounds; smallest difference"));
    }

    @Test
    void aLoadThatIsTooLargeForAKernelInterfaceIsNoFailure() throws Exception {
        RaceResult result = race(
                new Commentary(),
                1,
                List.of(new Cell(2, 100, 1), new Cell(1000, 100, 1)),
                tiny("small-select", "echo", NEVER));
        assertThat(result.failures()).isEmpty();
        assertThat(result.endedEarly()).isFalse();
        Summary summary = Summary.of(result);
        assertThat(summary.rows()).extracting(row -> row.cell().connections()).containsExactly(2);
        assertThat(summary.notAvailable())
                .extracting(absent -> absent.cell().connections())
                .containsExactly(1000);
    }

    @Test
    void aServerThatDiesIsNamedAndTheOthersGoOn() throws Exception {
        Commentary heard = new Commentary();
        RaceResult result = race(
                heard,
                2,
                List.of(new Cell(2, 100, 1)),
                tiny("honest", "echo", NEVER),
                tiny("mortal", "die", 500),
                tiny("absent", "refuse", 0));
        assertThat(result.failures())
                .containsExactlyInAnyOrder(
                        "absent ended with status 3: there is no such thing here: install it",
                        "mortal died in the race: it ended with status 9: the ceiling came down");
        assertThat(heard.failed).containsExactlyInAnyOrderElementsOf(result.failures());
        assertThat(Summary.of(result).rows()).extracting(Row::server).containsExactly("honest");
        assertThat(Summary.of(result).rows().getFirst().rounds()).isEqualTo(2);
    }

    @Test
    void aServerThatAnswersWrongOrNotAtAllIsOut() throws Exception {
        RaceResult result = race(
                new Commentary(),
                1,
                List.of(new Cell(1, 100, 1)),
                tiny("liar", "corrupt", 200),
                tiny("honest", "echo", NEVER));
        assertThat(result.failures())
                .singleElement()
                .asString()
                .startsWith("liar failed under load: 1 content (message 200");
        assertThat(Summary.of(result).rows()).extracting(Row::server).containsExactly("honest");
    }

    @Test
    void aStoppedRaceReturnsWhatItHas() throws Exception {
        RacePlan plan = plan(1000, List.of(new Cell(1, 100, 1)), tiny("honest", "echo", NEVER));
        Race[] race = new Race[1];
        Commentary stopping = new Commentary() {
            @Override
            public void step(String what, long remainingNanos) {
                if (what.contains("round 2")) {
                    race[0].stop();
                }
            }
        };
        race[0] = new Race(plan, INSTALLATION, Host.look(), stopping);
        RaceResult result = race[0].run();
        assertThat(result.endedEarly()).isTrue();
        assertThat(result.cells())
                .singleElement()
                .satisfies(cell -> assertThat(cell.rounds()).hasSizeBetween(1, 2));
    }

    @Test
    void noProcessSurvives() throws Exception {
        race(new Commentary(), 1, List.of(new Cell(1, 100, 1)), tiny("honest", "echo", NEVER));
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    private static RaceResult race(RaceProgress progress, int rounds, List<Cell> cells, Contestant... contestants)
            throws Exception {
        return new Race(plan(rounds, cells, contestants), INSTALLATION, Host.look(), progress).run();
    }

    private static RacePlan plan(int rounds, List<Cell> cells, Contestant... contestants) {
        return RacePlan.of(List.of(contestants), cells)
                .withRounds(rounds)
                .withWindow(RacePlan.WINDOW_MIN)
                .withWarmUpMax(Duration.ofMillis(500));
    }

    private static Contestant tiny(String name, String fault, long after) {
        KernelInterface kernel = name.endsWith("io_uring")
                ? KernelInterface.IO_URING
                : name.endsWith("select") ? KernelInterface.SELECT : KernelInterface.EPOLL;
        return new Contestant(
                name,
                kernel,
                true,
                true,
                INSTALLATION.java(
                        INSTALLATION.classPath(),
                        TinyEchoServer.class.getName(),
                        List.of(),
                        fault,
                        String.valueOf(after)));
    }

    private static class Commentary implements RaceProgress {
        private final List<String> started = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();

        @Override
        public void serverStarted(String server, String configuration) {
            started.add(server + ": " + configuration);
        }

        @Override
        public void serverFailed(String description) {
            failed.add(description);
        }

        @Override
        public void step(String what, long remainingNanos) {
            assertThat(remainingNanos).isNotNegative();
        }
    }
}
