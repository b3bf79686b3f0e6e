package dev.headrace.difference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.difference.Action.Kind;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the seeds make up: everything there is, and the same each time. */
class ScenarioTest {
    @Test
    void aSeedTellsTheSameStoryEachTime() {
        assertThat(new Scenario(7).toString()).isEqualTo(new Scenario(7).toString());
        assertThat(new Scenario(7).actions()).isNotEqualTo(new Scenario(8).actions());
    }

    @Test
    void everyKindOfActionOccurs() {
        assertThat(LongStream.rangeClosed(1, 200)
                        .boxed()
                        .flatMap(seed -> new Scenario(seed).actions().stream())
                        .map(Action::kind))
                .contains(Kind.values());
    }
}
