package dev.headrace.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Driver;
import dev.headrace.engine.driver.Operation;
import dev.headrace.engine.driver.Operation.State;
import dev.headrace.testkit.sim.Violation.Rule;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each breach of a driver's contract is noticed; what is in order is not. */
class CheckedDriverTest {
    /** Does what a test tells it. */
    private static final class Scripted implements Driver {
        private Consumer<Completions> next = completions -> {};
        private boolean cancelsIdle;

        @Override
        public void stage(Operation operation) {
            operation.begin(State.IN_FLIGHT);
        }

        @Override
        public void cancel(Operation operation) {
            if (cancelsIdle) {
                operation.moveTo(State.CANCELLING);
            }
        }

        @Override
        public void turn(long waitNanos, Completions completions) {
            next.accept(completions);
        }

        @Override
        public void wake() {}

        @Override
        public Capabilities capabilities() {
            return new Capabilities(List.of());
        }

        @Override
        public void close() {}
    }

    private final Scripted scripted = new Scripted();
    private final CheckedDriver driver = new CheckedDriver(scripted);
    private final Completions completions = new Completions(8);
    private final Operation receive = operation().prepareReceive(5);
    private final Operation send = operation().prepareSend(5, 0, 10, null);
    private final Operation close = operation().prepareClose(5);

    private static Operation operation() {
        return new Operation((operation, result, more, bufferId) -> {});
    }

    private void turn(Consumer<Completions> answers) {
        completions.clear();
        scripted.next = answers;
        driver.turn(0, completions);
    }

    private static void end(Completions completions, Operation operation, int result) {
        operation.moveTo(State.IDLE);
        completions.add(operation, result, false, -1);
    }

    private static void requireBroken(Rule rule, ThrowingCallable breach) {
        Violation broken = catchThrowableOfType(Violation.class, breach);
        assertThat(broken).as("a violation").isNotNull();
        assertThat(broken.rule()).isEqualTo(rule);
    }

    @Test
    void whatIsInOrderPasses() {
        driver.stage(receive);
        driver.stage(send);
        turn(answers -> {
            answers.add(receive, 3, true, 1);
            answers.add(receive, 4, true, 2);
            end(answers, send, 10);
        });
        turn(answers -> {
            answers.add(receive, 3, true, 1);
            end(answers, receive, 0);
        });
        driver.cancel(receive);
        driver.stage(close);
        turn(answers -> end(answers, close, 0));
        driver.close();
        assertThat(driver.staged()).isEqualTo(3);
    }

    @Test
    void anotherConnectionMayHaveTheNumberBeforeTheCloseIsTold() {
        driver.stage(close);
        driver.stage(receive);
        turn(answers -> end(answers, receive, 0));
        driver.stage(operation().prepareClose(5));
    }

    @Test
    void aSecondEnd() {
        driver.stage(send);
        turn(answers -> end(answers, send, 10));
        requireBroken(Rule.ENDS_ONCE, () -> turn(answers -> end(answers, send, 10)));
    }

    @Test
    void aRecordAfterTheEndInTheSameTurn() {
        driver.stage(receive);
        requireBroken(
                Rule.ENDS_ONCE,
                () -> turn(answers -> {
                    end(answers, receive, 0);
                    answers.add(receive, 5, true, 1);
                }));
    }

    @Test
    void anEndOfWhatIsStillInFlight() {
        driver.stage(send);
        requireBroken(Rule.ENDS_ONCE, () -> turn(answers -> answers.add(send, 10, false, -1)));
    }

    @Test
    void idleBeforeTheEnd() {
        driver.stage(receive);
        requireBroken(
                Rule.ENDS_ONCE,
                () -> turn(answers -> {
                    receive.moveTo(State.IDLE);
                    answers.add(receive, 3, true, 1);
                }));
    }

    @Test
    void aRecordOfWhatWasNeverStaged() {
        requireBroken(Rule.ENDS_ONCE, () -> turn(answers -> answers.add(receive, 3, true, 1)));
    }

    @Test
    void stagedTwice() {
        driver.stage(send);
        requireBroken(Rule.ENDS_ONCE, () -> driver.stage(send));
    }

    @Test
    void anEndThatNeverComes() {
        driver.stage(receive);
        requireBroken(Rule.ENDS_ONCE, driver::close);
    }

    @Test
    void aCancellationThatStartsSomething() {
        scripted.cancelsIdle = true;
        requireBroken(Rule.ENDS_ONCE, () -> driver.cancel(receive));
    }

    @Test
    void aDescriptorClosedUnderAnOperation() {
        driver.stage(receive);
        requireBroken(Rule.CLOSE_IN_FLIGHT, () -> driver.stage(close));
    }

    @Test
    void aBufferWithoutAByte() {
        driver.stage(receive);
        requireBroken(Rule.LENT_MEMORY, () -> turn(answers -> answers.add(receive, 0, true, 1)));
    }

    @Test
    void aBufferOfASend() {
        driver.stage(send);
        requireBroken(
                Rule.LENT_MEMORY,
                () -> turn(answers -> {
                    send.moveTo(State.IDLE);
                    answers.add(send, 10, false, 1);
                }));
    }

    @Test
    void aSliceTwiceInATurn() {
        Operation other = operation().prepareReceive(6);
        driver.stage(receive);
        driver.stage(other);
        requireBroken(
                Rule.LENT_MEMORY,
                () -> turn(answers -> {
                    answers.add(receive, 3, true, 1);
                    answers.add(other, 3, true, 1);
                }));
    }
}
