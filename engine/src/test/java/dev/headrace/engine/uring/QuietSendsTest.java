package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.abi.linux.Errno;
import dev.headrace.engine.driver.Completions;
import dev.headrace.engine.driver.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A send without a completion of its own gets exactly one record, of success or of what went wrong. */
class QuietSendsTest {
    private final Completions records = new Completions(64);

    private static Operation send(int length) {
        Operation operation = new Operation((o, result, more, bufferId) -> {});
        operation.prepareSend(3, 1000, length, null).quietly().begin(Operation.State.IN_FLIGHT);
        return operation;
    }

    private List<Integer> results() {
        List<Integer> results = new ArrayList<>();
        for (int i = 0; i < records.count(); i++) {
            assertThat(records.more(i)).isFalse();
            assertThat(records.bufferId(i)).isEqualTo(-1);
            results.add(records.result(i));
        }
        return results;
    }

    @Test
    void succeedsOnceConsumed() {
        QuietSends sends = new QuietSends(4, 0);
        Operation first = send(10);
        Operation second = send(20);
        sends.submitted(0, first);
        sends.submitted(2, second);
        sends.settle(0, true, records);
        assertThat(results()).isEmpty();
        sends.settle(2, true, records);
        assertThat(results()).containsExactly(10);
        sends.settle(3, true, records);
        assertThat(results()).containsExactly(10, 20);
        sends.settle(3, true, records);
        assertThat(results()).containsExactly(10, 20);
        assertThat(records.operation(1)).isSameAs(second);
    }

    @Test
    void aFailureCorrectsTheRecord() {
        QuietSends sends = new QuietSends(4, 0);
        Operation first = send(10);
        Operation second = send(20);
        Operation third = send(30);
        sends.submitted(0, first);
        sends.submitted(1, second);
        sends.submitted(2, third);
        sends.settle(3, true, records);
        assertThat(sends.failed(first, -Errno.EPIPE, records)).isFalse();
        assertThat(sends.failed(second, 7, records)).isFalse();
        assertThat(sends.failed(third, -Errno.EAGAIN, records)).isFalse();
        assertThat(results()).as("EAGAIN means that nothing was taken").containsExactly(-Errno.EPIPE, 7, 0);
    }

    /** While completions are kept aside a failure may be among them. */
    @Test
    void theVerdictIsPutOffWhileTheQueueHasOverflowed() {
        QuietSends sends = new QuietSends(4, 0);
        Operation first = send(10);
        Operation second = send(20);
        sends.submitted(0, first);
        sends.submitted(1, second);
        sends.settle(2, false, records);
        assertThat(results()).isEmpty();
        assertThat(sends.undecided()).isTrue();
        assertThat(sends.failed(first, -Errno.ECONNRESET, records)).isTrue();
        assertThat(results()).containsExactly(-Errno.ECONNRESET);
        sends.settle(2, true, records);
        assertThat(results()).containsExactly(-Errno.ECONNRESET, 20);
        assertThat(sends.undecided()).isFalse();
    }

    @Test
    void positionsWrap() {
        QuietSends sends = new QuietSends(2, -2);
        for (int position = -2; position < 3; position++) {
            sends.submitted(position, send(position + 100));
            sends.settle(position + 1, true, records);
        }
        assertThat(results()).containsExactly(98, 99, 100, 101, 102);
    }

    @Test
    void manyMayBeUndecided() {
        QuietSends sends = new QuietSends(64, 0);
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            operations.add(send(i + 1));
            sends.submitted(i, operations.get(i));
        }
        sends.settle(64, false, records);
        for (int i = 0; i < 64; i += 2) {
            assertThat(sends.failed(operations.get(i), -Errno.EPIPE, records)).isTrue();
        }
        sends.settle(64, true, records);
        assertThat(records.count()).isEqualTo(64);
        for (int i = 0; i < 64; i++) {
            boolean failed = operations.indexOf(records.operation(i)) % 2 == 0;
            assertThat(records.result(i))
                    .isEqualTo(failed ? -Errno.EPIPE : records.operation(i).length());
        }
    }
}
