package dev.headrace.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.testkit.sim.Violation.Rule;
import org.junit.jupiter.api.Test;

class StreamTest {
    private static final int COMPARED = 4096;

    private final byte[] content = new Stream(3).bytes(0, COMPARED);

    @Test
    void aPieceFitsWhereItBelongs() {
        new Stream(3).require(1000, new Stream(3).bytes(1000, 500));
    }

    @Test
    void oneWrongByteIsFound() {
        byte[] bytes = new Stream(3).bytes(1000, 500);
        bytes[321] ^= 1;
        assertThatThrownBy(() -> new Stream(3).require(1000, bytes))
                .isInstanceOfSatisfying(
                        Violation.class, broken -> assertThat(broken.rule()).isEqualTo(Rule.BYTES))
                .hasMessageContaining("1321");
    }

    @Test
    void lostOrRepeatedBytesLeaveNothingAlike() {
        for (int shift = 1; shift <= 70_000; shift = shift < 2000 ? shift + 1 : shift + 97) {
            assertThat(alike(new Stream(3), shift)).as("alike after " + shift).isLessThan(COMPARED / 32);
        }
        for (int shift : new int[] {2584, 4181, 6765, 10_946, 17_711, 28_657, 46_368, 65_536}) {
            assertThat(alike(new Stream(3), shift)).as("alike after " + shift).isLessThan(COMPARED / 32);
        }
    }

    @Test
    void streamsHaveNothingInCommon() {
        for (int other = 4; other < 2000; other++) {
            assertThat(alike(new Stream(other), 0)).as("alike with " + other).isLessThan(COMPARED / 32);
        }
    }

    private int alike(Stream other, int shift) {
        int alike = 0;
        for (int i = 0; i < COMPARED; i++) {
            alike += content[i] == other.at((long) i + shift) ? 1 : 0;
        }
        return alike;
    }
}
