package dev.headrace.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChanceTest {
    private static final int ASKED = 20_000;

    @Test
    void theSameSeedDecidesTheSame() {
        assertThat(strikes(new Chance(7, Set.of(), new Marks()), true))
                .isEqualTo(strikes(new Chance(7, Set.of(), new Marks()), true));
        assertThat(strikes(new Chance(7, Set.of(), new Marks()), true))
                .isNotEqualTo(strikes(new Chance(8, Set.of(), new Marks()), true));
    }

    @Test
    void aDecisionDoesNotDependOnThoseAboutOtherThings() {
        List<Boolean> among = strikes(new Chance(7, Set.of(), new Marks()), true);
        assertThat(strikes(new Chance(7, Set.of(), new Marks()), false)).isEqualTo(among);
        assertThat(strikes(new Chance(7, EnumSet.of(Mark.CLOCK_JUMP), new Marks()), true))
                .isEqualTo(among);
    }

    @Test
    void strikesAreAsFrequentAsAskedAndCounted() {
        Marks marks = new Marks();
        Chance chance = new Chance(7, EnumSet.of(Mark.CLOCK_JUMP), marks);
        long struck = strikes(chance, true).stream().filter(strike -> strike).count();
        assertThat(struck).isBetween(ASKED / 5L - 300, ASKED / 5L + 300);
        assertThat(marks.count(Mark.SHORT_SEND)).isEqualTo(struck);
        assertThat(marks.count(Mark.CLOCK_JUMP)).as("switched off").isZero();
    }

    @Test
    void numbersStayInTheirBoundsAndReachThem() {
        Chance chance = new Chance(7, Set.of(), new Marks());
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(chance.between(3, 9));
        }
        assertThat(seen).containsExactlyInAnyOrder(3, 4, 5, 6, 7, 8, 9);
    }

    private static List<Boolean> strikes(Chance chance, boolean othersToo) {
        List<Boolean> strikes = new ArrayList<>();
        for (int i = 0; i < ASKED; i++) {
            if (othersToo) {
                chance.strikes(Mark.CLOCK_JUMP, 3);
                chance.below(10);
            }
            strikes.add(chance.strikes(Mark.SHORT_SEND, 5));
        }
        return strikes;
    }
}
