package dev.headrace.lab.race;

import static dev.headrace.lab.race.Races.C_EDGE;
import static dev.headrace.lab.race.Races.C_EPOLL;
import static dev.headrace.lab.race.Races.C_URING;
import static dev.headrace.lab.race.Races.EDGE;
import static dev.headrace.lab.race.Races.EPOLL;
import static dev.headrace.lab.race.Races.NETTY_EPOLL;
import static dev.headrace.lab.race.Races.NETTY_URING;
import static dev.headrace.lab.race.Races.SELECT;
import static dev.headrace.lab.race.Races.URING;
import static dev.headrace.lab.race.Races.URING_WITHOUT_RUNG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.headrace.lab.load.Saturation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SummaryTest {
    private static final Cell CELL = new Cell(100, 100, 1);

    @Test
    void rowsHoldMediansSplitAndLatencies() {
        Row row = Summary.of(Races.result(List.of(URING), Races.cell(CELL, 9, List.of(URING), 8)))
                .rows()
                .getFirst();
        assertThat(row.messagesPerSecond()).isEqualTo(1000);
        assertThat(row.cpuMicros().median()).isCloseTo(8, within(0.001));
        assertThat(row.userMicros()).isCloseTo(2.4, within(0.001));
        assertThat(row.systemMicros()).isCloseTo(5.6, within(0.001));
        assertThat(row.p50Micros()).isCloseTo(500, within(1.0));
        assertThat(row.p99Micros()).isCloseTo(990, within(1.0));
        assertThat(row.systemCallsPerMessage()).isEqualTo(0.05);
        assertThat(row.saturated()).isEqualTo(Saturation.NONE);
    }

    @Test
    void theUsersQuestionComesFirst() {
        List<Contestant> contestants = List.of(NETTY_URING, EPOLL, C_EPOLL, URING);
        List<Ratio> ratios = Summary.of(Races.result(contestants, Races.cell(CELL, 9, contestants, 9, 8.5, 8.2, 8)))
                .ratios();
        assertThat(ratios)
                .extracting(ratio -> ratio.a() + "/" + ratio.b())
                .containsExactly(
                        "headrace-io_uring/headrace-epoll-lt",
                        "headrace-epoll-lt/c-epoll",
                        "headrace-io_uring/netty-io_uring",
                        "headrace-epoll-lt/netty-io_uring",
                        "headrace-io_uring/c-epoll");
    }

    @Test
    void ourOtherBackendsAreJudgedByLevelTriggeredEpollAndTheirOwnYardstick() {
        List<Contestant> contestants = List.of(SELECT, EPOLL, EDGE, URING, C_EDGE);
        Summary summary = Summary.of(Races.result(contestants, Races.cell(CELL, 9, contestants, 12, 10, 10, 8, 10)));
        assertThat(summary.ratios())
                .extracting(ratio -> ratio.a() + "/" + ratio.b())
                .startsWith(
                        "headrace-io_uring/headrace-epoll-lt",
                        "headrace-select/headrace-epoll-lt",
                        "headrace-epoll-et/headrace-epoll-lt",
                        "headrace-epoll-et/c-epoll-et");
        assertThat(summary.verdicts()).hasSize(4);
        assertThat(summary.verdicts().get(1)).contains("headrace-select costs 20 % more");
    }

    @Test
    void withoutLevelTriggeredEpollTheLastOfOursIsTheBase() {
        List<Contestant> contestants = List.of(URING, EDGE, SELECT);
        assertThat(Pair.of(contestants))
                .extracting(pair -> pair.a().name() + "/" + pair.b().name())
                .containsExactly("headrace-io_uring/headrace-select", "headrace-epoll-et/headrace-select");
    }

    @Test
    void theCostOfAMissingRungIsPutIntoWords() {
        List<Contestant> contestants = List.of(URING, URING_WITHOUT_RUNG, EPOLL, NETTY_URING);
        Summary costly = Summary.of(Races.result(contestants, Races.cell(CELL, 12, contestants, 10, 12, 10, 10)));
        assertThat(costly.ratios())
                .filteredOn(ratio -> ratio.a().equals(URING_WITHOUT_RUNG.name()))
                .extracting(Ratio::b)
                .containsExactly("headrace-io_uring");
        assertThat(costly.verdicts())
                .anySatisfy(verdict -> assertThat(verdict)
                        .startsWith(
                                "100 connections: without multishot-receive headrace-io_uring costs 20 % more server"
                                        + " CPU per message (90 % interval "));
        Summary free = Summary.of(Races.result(contestants, Races.cell(CELL, 12, contestants, 10, 10, 10, 10)));
        assertThat(free.verdicts())
                .anySatisfy(verdict -> assertThat(verdict)
                        .contains("between headrace-io_uring without and with multishot-receive (90 % interval "));
    }

    @Test
    void whatALoadIsTooLargeForIsNotAvailable() {
        List<Contestant> contestants = List.of(EPOLL, SELECT);
        CellResult small = Races.cell(CELL, 9, contestants, 10, 12);
        CellResult large = Races.cell(new Cell(1000, 100, 1), 9, contestants, 10);
        Summary summary = Summary.of(Races.result(contestants, small, large));
        assertThat(summary.rows())
                .extracting(row -> row.server() + " " + row.cell().connections())
                .containsExactly("headrace-epoll-lt 100", "headrace-select 100", "headrace-epoll-lt 1000");
        assertThat(summary.notAvailable()).singleElement().satisfies(absent -> {
            assertThat(absent.server()).isEqualTo("headrace-select");
            assertThat(absent.cell().connections()).isEqualTo(1000);
            assertThat(absent.limit().name()).isEqualTo("FD_SETSIZE");
        });
    }

    @Test
    void verdictsSayHowMuchAndHowSure() {
        List<Contestant> contestants = List.of(URING, EPOLL, NETTY_URING);
        Summary summary = Summary.of(Races.result(contestants, Races.cell(CELL, 12, contestants, 8, 10, 8.1)));
        assertThat(summary.verdicts()).hasSize(2);
        assertThat(summary.verdicts().get(0))
                .startsWith("100 connections: headrace-io_uring costs 20 % less server CPU per message than"
                        + " headrace-epoll-lt (90 % interval ")
                .endsWith(", 12 rounds; smallest difference they could have shown 8 %).");
        assertThat(summary.verdicts().get(1))
                .startsWith("100 connections: no difference above 8 % in server CPU per message between"
                        + " headrace-io_uring and netty-io_uring (90 % interval ");
    }

    @Test
    void verdictsSayMoreWhenItIsMore() {
        List<Contestant> contestants = List.of(URING, EPOLL);
        Summary summary =
                Summary.of(Races.result(contestants, Races.cell(new Cell(1, 100, 16), 12, contestants, 12, 10)));
        assertThat(summary.verdicts())
                .singleElement()
                .asString()
                .startsWith(
                        "1 connection, 16 in flight: headrace-io_uring costs 20 % more server CPU per message than");
    }

    @Test
    void verdictsNameTheActiveConnections() {
        List<Contestant> contestants = List.of(URING, EPOLL);
        Cell idle = new Cell(10_000, 100, 1, 100);
        assertThat(Summary.of(Races.result(contestants, Races.cell(idle, 12, contestants, 12, 10)))
                        .verdicts())
                .singleElement()
                .asString()
                .startsWith("10000 connections, 100 active: headrace-io_uring costs 20 % more");
    }

    @Test
    void userCpuIsQuotedFromHalfAMinuteOn() {
        List<Contestant> contestants = List.of(URING, NETTY_URING);
        // 1000 messages of 8 ms a second are 8 seconds of CPU a round.
        Summary shortly = Summary.of(Races.result(contestants, Races.cell(CELL, 3, contestants, 8000, 9000)));
        Summary longer = Summary.of(Races.result(contestants, Races.cell(CELL, 4, contestants, 8000, 9000)));
        assertThat(shortly.verdicts().getFirst()).doesNotContain("user CPU");
        assertThat(longer.verdicts().getFirst()).endsWith("Of user CPU alone it costs 0.89 times as much.");
    }

    @Test
    void aYardstickThatIsNotCheaperThanNettyMakesTheRunInvalid() {
        List<Contestant> contestants = List.of(C_URING, NETTY_URING, C_EPOLL, NETTY_EPOLL);
        Summary bad = Summary.of(Races.result(contestants, Races.cell(CELL, 9, contestants, 9.5, 10, 9.5, 10)));
        assertThat(bad.warnings())
                .singleElement()
                .asString()
                .contains("c-io_uring costs 0.95 of netty-io_uring")
                .endsWith("treat this run as invalid");
        Summary good = Summary.of(Races.result(contestants, Races.cell(CELL, 9, contestants, 8.5, 10, 9.2, 10)));
        assertThat(good.warnings()).isEmpty();
    }

    @Test
    void disturbedAndUnsteadyRoundsAreConfessed() {
        List<Round> rounds = List.of(new Round(Map.of("headrace-io_uring", Races.window(8, 0.3))));
        CellResult cell = new CellResult(CELL, rounds, 1, 4, Map.of(), Set.of("headrace-io_uring"));
        assertThat(Summary.of(Races.result(List.of(URING), cell)).warnings())
                .hasSize(3)
                .anyMatch(line -> line.contains("in 1 of 1 rounds other programs took more than 15 %"))
                .anyMatch(line -> line.contains("4 more rounds were dropped"))
                .anyMatch(line -> line.endsWith("not yet steady after warming up: headrace-io_uring"));
    }

    @Test
    void aServerThatDroppedOutIsComparedOverTheRoundsItWasIn() {
        List<Contestant> contestants = List.of(URING, EPOLL);
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rounds.add(new Round(Map.of("headrace-io_uring", Races.window(5), "headrace-epoll-lt", Races.window(10))));
        }
        rounds.add(new Round(Map.of("headrace-io_uring", Races.window(50))));
        CellResult cell = new CellResult(CELL, rounds, 0, 0, Map.of(), Set.of());
        Summary summary = Summary.of(Races.result(contestants, cell));
        assertThat(summary.ratios()).singleElement().satisfies(ratio -> {
            assertThat(ratio.comparison().rounds()).isEqualTo(3);
            assertThat(ratio.comparison().ratio().median()).isCloseTo(0.5, within(1e-9));
        });
        assertThat(summary.rows()).extracting(Row::rounds).containsExactly(4, 3);
    }

    @Test
    void windowsAreDisturbedFromFifteenPercentOn() {
        assertThat(Races.window(1, 0.14).disturbed()).isFalse();
        assertThat(Races.window(1, 0.16).disturbed()).isTrue();
    }

    @Test
    void saturationIsTheServersFirst() {
        assertThat(Saturation.of(0.96, 0.99)).isEqualTo(Saturation.SERVER);
        assertThat(Saturation.of(0.90, 0.99)).isEqualTo(Saturation.LOAD);
        assertThat(Saturation.of(0.90, 0.90)).isEqualTo(Saturation.NONE);
    }
}
