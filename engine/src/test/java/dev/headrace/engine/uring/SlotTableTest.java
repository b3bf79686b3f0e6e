package dev.headrace.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.driver.Operation;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An answer finds the submission that it is about, and no other. */
class SlotTableTest {
    private static Operation submitted() {
        Operation operation = new Operation((o, result, more, bufferId) -> {});
        operation.prepareReceive(1).begin(Operation.State.IN_FLIGHT);
        return operation;
    }

    private static void submitAgain(Operation operation) {
        operation.moveTo(Operation.State.IDLE);
        operation.prepareReceive(1).begin(Operation.State.IN_FLIGHT);
    }

    @Test
    void findsWhatIsThereAndNothingThatHasLeft() {
        SlotTable table = new SlotTable();
        SplittableRandom random = new SplittableRandom(1);
        List<Operation> inside = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        Set<Long> all = new HashSet<>();
        for (int step = 0; step < 20_000; step++) {
            if (inside.size() < 1_000 && random.nextInt(5) < 3) {
                Operation operation = submitted();
                long userData = table.enter(operation);
                assertThat(all.add(userData)).as("user data is unique").isTrue();
                assertThat(table.userData(operation)).isEqualTo(userData);
                inside.add(operation);
            } else if (!inside.isEmpty()) {
                Operation operation = inside.remove(random.nextInt(inside.size()));
                long userData = table.userData(operation);
                assertThat(table.find(userData)).isSameAs(operation);
                table.leave(operation);
                gone.add(userData);
            }
            assertThat(table.count()).isEqualTo(inside.size());
        }
        inside.forEach(
                operation -> assertThat(table.find(table.userData(operation))).isSameAs(operation));
        gone.forEach(userData -> assertThat(table.find(userData)).isNull());
    }

    @Test
    void aLateAnswerToAnEarlierSubmissionFindsNobody() {
        SlotTable table = new SlotTable();
        Operation operation = submitted();
        long first = table.enter(operation);
        table.leave(operation);
        submitAgain(operation);
        long second = table.enter(operation);
        assertThat((int) second).as("the slot is used again").isEqualTo((int) first);
        assertThat(table.find(first)).isNull();
        assertThat(table.find(second)).isSameAs(operation);
    }

    /** Neither has been submitted before: it is the slot's history that tells them apart. */
    @Test
    void twoOperationsInOneSlotDiffer() {
        SlotTable table = new SlotTable();
        Operation first = submitted();
        long userData = table.enter(first);
        table.leave(first);
        Operation second = submitted();
        assertThat(table.enter(second)).isNotEqualTo(userData);
        assertThat(table.find(userData)).isNull();
    }

    @Test
    void nonsenseFindsNobody() {
        SlotTable table = new SlotTable();
        table.enter(submitted());
        assertThat(table.find(-1)).isNull();
        assertThat(table.find(-2)).isNull();
        assertThat(table.find(Long.MAX_VALUE)).isNull();
        assertThat(table.find(Long.MIN_VALUE)).isNull();
        assertThat(table.find(1L << 32 | 1)).isNull();
    }

    /**
     * Generations count past all ones to zero. The user data of such a submission is negative, as the two values are that
     * are reserved for requests without an operation, and must not be taken for them.
     */
    @Test
    void generationsWrapAround() throws ReflectiveOperationException {
        SlotTable table = new SlotTable();
        Set<Long> all = new HashSet<>();
        List<Operation> inside = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 1_000; i++) {
                Operation operation = submitted();
                long userData = table.enter(operation);
                assertThat(all.add(userData)).as("user data is unique").isTrue();
                assertThat(userData).as("reserved").isNotIn(-1L, -2L);
                assertThat((int) userData).as("the slot").isNotNegative();
                assertThat(table.find(userData)).isSameAs(operation);
                inside.add(operation);
            }
            assertThat(table.find(-1)).isNull();
            assertThat(table.find(-2)).isNull();
            inside.forEach(table::leave);
            inside.clear();
            all.forEach(userData -> assertThat(table.find(userData)).isNull());
            if (round == 0) {
                generations(table, -3);
                all.clear();
            }
        }
        assertThat(all.stream().map(userData -> (int) (userData >>> Integer.SIZE)))
                .contains(-2, -1, 0, 1);
    }

    /** As if each slot had been taken so often. */
    private static void generations(SlotTable table, int value) throws ReflectiveOperationException {
        Field field = SlotTable.class.getDeclaredField("generations");
        field.setAccessible(true);
        Arrays.fill((int[]) field.get(table), value);
    }
}
