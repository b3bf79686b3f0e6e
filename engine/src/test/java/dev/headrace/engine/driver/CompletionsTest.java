package dev.headrace.engine.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A batch keeps its records in order, and grows rather than lose one. */
class CompletionsTest {
    @Test
    void keepsRecordsInOrderBeyondItsLimit() {
        Completions batch = new Completions(4);
        List<Operation> operations = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 100; i++) {
                Operation operation = new Operation((o, result, more, bufferId) -> {});
                operations.add(operation);
                assertThat(batch.add(operation, i, i % 2 == 0, i * 3)).isEqualTo(i);
            }
            batch.correct(50, -7);
            assertThat(batch.count()).isEqualTo(100);
            for (int i = 0; i < 100; i++) {
                assertThat(batch.operation(i)).isSameAs(operations.get(i));
                assertThat(batch.result(i)).isEqualTo(i == 50 ? -7 : i);
                assertThat(batch.more(i)).isEqualTo(i % 2 == 0);
                assertThat(batch.bufferId(i)).isEqualTo(i * 3);
            }
            assertThatThrownBy(() -> batch.correct(100, 0)).isInstanceOf(AssertionError.class);
            batch.clear();
            operations.clear();
            assertThat(batch.count()).isZero();
        }
    }
}
