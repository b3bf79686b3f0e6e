package dev.headrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.Backend;
import org.junit.jupiter.api.Test;

class FaultTagsTest {
    @Fault(value = 3, backends = "poll")
    @SuppressWarnings("UnusedMethod") // looked at, not called
    private static class Tagged {
        @Fault({7, 3})
        void addsToItsClass() {}

        @Fault(value = 1, backends = Fault.EVERY)
        void everywhere() {}

        @Fault(57)
        void noSuchRow() {}

        @Fault(value = 1, backends = "kqueue")
        void noSuchBackend() {}
    }

    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // looked at, not called
    private static class Untagged {
        void nothing() {}

        @Fault(1)
        void nowhere() {}

        @Fault(1)
        @EveryBackend
        void told(Setting setting) {}
    }

    @Test
    void aMethodAddsToItsClass() throws NoSuchMethodException {
        FaultTags tags = tags(Tagged.class, "addsToItsClass");
        assertThat(tags.rows()).containsExactly(3, 7);
        assertThat(tags.backends()).containsExactly("poll");
        assertThat(tags.mistake()).isNull();
        assertThat(tags(Untagged.class, "nothing").rows()).isEmpty();
    }

    @Test
    void everyBackendIsEachOfThem() throws NoSuchMethodException {
        assertThat(tags(Tagged.class, "everywhere").backends()).isEqualTo(Backend.ids());
    }

    @Test
    void whatIsNotThereIsAMistake() throws NoSuchMethodException {
        assertThat(tags(Tagged.class, "noSuchRow").mistake()).contains("57");
        assertThat(tags(Tagged.class, "noSuchBackend").mistake()).contains("kqueue");
        assertThat(tags(Untagged.class, "nowhere").mistake()).contains("does not say on which backends");
        assertThat(FaultTags.of(Untagged.class, Untagged.class.getDeclaredMethod("told", Setting.class))
                        .mistake())
                .isNull();
    }

    private static FaultTags tags(Class<?> testClass, String method) throws NoSuchMethodException {
        return FaultTags.of(testClass, testClass.getDeclaredMethod(method));
    }
}
