package dev.headrace.engine.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** An operation is its owner's, then the driver's, and never both. */
class OperationTest {
    private static final OperationOwner OWNER = (operation, result, more, bufferId) -> {};

    @Test
    void eachSubmissionIsAnotherGeneration() {
        Operation operation = new Operation(OWNER);
        int first = begun(operation);
        int second = begun(operation);
        assertThat(second).isNotEqualTo(first);
        Generations.set(operation, -1);
        assertThat(begun(operation)).isZero();
    }

    private static int begun(Operation operation) {
        operation.prepareReceive(3).begin(Operation.State.STAGED);
        int generation = operation.generation();
        operation.moveTo(Operation.State.IDLE);
        return generation;
    }

    @Test
    void mistakesAreAsserted() {
        Operation operation = new Operation(OWNER).prepareSend(3, 1000, 10, null);
        operation.begin(Operation.State.STAGED);
        assertThatThrownBy(() -> operation.prepareReceive(3)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> operation.begin(Operation.State.STAGED)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> operation.advance(1)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> operation.extend(1)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> operation.ownedBy(OWNER)).isInstanceOf(AssertionError.class);
        operation.moveTo(Operation.State.IDLE);
        assertThatThrownBy(() -> operation.advance(11)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aShortSendGoesOnWhereItStopped() {
        Operation operation =
                new Operation(OWNER).prepareSend(3, 1000, 10, "kept").quietly();
        assertThat(operation.quiet()).isTrue();
        operation.extend(5);
        operation.advance(4);
        assertThat(operation.address()).isEqualTo(1004);
        assertThat(operation.length()).isEqualTo(11);
        assertThat(operation.clearKeeper()).isEqualTo("kept");
        assertThat(operation.keeper()).isNull();
        operation.prepareSend(4, 2000, 1, null);
        assertThat(operation.quiet()).as("quiet from the time before").isFalse();
        assertThat(operation.toString()).contains("SEND", "fd 4", "IDLE");
    }

    @Test
    void whatIsLeftOfAShortSendIsNotQuiet() {
        Operation send = new Operation((operation, result, more, bufferId) -> {});
        send.prepareSend(1, 4096, 100, null).quietly();
        send.advance(0);
        assertThat(send.quiet()).as("quiet after it found no room").isFalse();
    }
}
