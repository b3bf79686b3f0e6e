package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Options that cannot be are refused when they are made, in words that name them. */
class EngineOptionsTest {
    private static final EngineOptions DEFAULTS = EngineOptions.of(Backend.EPOLL);

    private static Arguments refused(String words, UnaryOperator<EngineOptions> change) {
        return Arguments.of(Named.of(words, change), words);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refused("loops", options -> options.withLoops(0)),
                refused("receiveBuffers", options -> options.withReceiveBuffers(0, 1024)),
                refused("receiveBuffers", options -> options.withReceiveBuffers(65_537, 1024)),
                refused("receiveBufferBytes", options -> options.withReceiveBuffers(16, 0)),
                refused("outputBuffers", options -> options.withOutputBuffers(-1, 1024)),
                refused("outputBuffers", options -> options.withOutputBuffers(65_537, 1024)),
                refused("outputBufferBytes", options -> options.withOutputBuffers(16, 0)),
                refused("highWatermarkBytes", options -> options.withWatermarks(0, 0)),
                refused("lowWatermarkBytes", options -> options.withWatermarks(-1, 10)),
                refused("lowWatermarkBytes", options -> options.withWatermarks(10, 10)),
                refused("buffersHeldMax", options -> options.withBuffersHeldMax(0)),
                refused("linger", options -> options.withLinger(Duration.ofMillis(-1))),
                refused("shutdownGrace", options -> options.withShutdownGrace(Duration.ofMillis(-1))),
                refused("backlog", options -> options.withBacklog(0)),
                refused("submissionEntries", options -> options.withRing(3, 8, 8)),
                refused("submissionEntries", options -> options.withRing(0, 8, 8)),
                refused("completionEntries", options -> options.withRing(4, 9, 8)),
                refused("completionEntries", options -> options.withRing(16, 8, 8)),
                refused("buffersPublished", options -> options.withRing(4, 8, 7)),
                refused("connectTimeout", options -> options.withConnectTimeout(Duration.ZERO)),
                refused("CPU", options -> options.withCpus(List.of(0, -1))),
                refused(
                        "sendBufferBytes",
                        options -> options.withSocketOptions(
                                SocketOptions.defaults().withKernelBuffers(0, -1))));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatCannotBeIsNamed(UnaryOperator<EngineOptions> change, String words) {
        assertThatThrownBy(() -> change.apply(DEFAULTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void eachChangeChangesItsOwnAlone() {
        EngineOptions all = DEFAULTS.withBackend(Backend.IO_URING)
                .withLoops(3)
                .withThreadName("name")
                .withReceiveBuffers(10, 11)
                .withOutputBuffers(12, 13)
                .withWatermarks(14, 15)
                .withBuffersHeldMax(16)
                .withLinger(Duration.ofSeconds(17))
                .withBacklog(18)
                .withShutdownGrace(Duration.ofSeconds(19))
                .withRing(32, 64, 128)
                .withMaskedRungs(Set.of("no-sqarray"))
                .withListeners(ListenerPlacement.PER_LOOP)
                .withCpus(List.of(0, 1))
                .withConnectTimeout(Duration.ofSeconds(20))
                .withSocketOptions(new SocketOptions(false, true, 21, 22));
        assertThat(all)
                .isEqualTo(new EngineOptions(
                        Backend.IO_URING,
                        3,
                        "name",
                        10,
                        11,
                        12,
                        13,
                        14,
                        15,
                        16,
                        Duration.ofSeconds(17),
                        18,
                        Duration.ofSeconds(19),
                        32,
                        64,
                        128,
                        Set.of("no-sqarray"),
                        ListenerPlacement.PER_LOOP,
                        List.of(0, 1),
                        Duration.ofSeconds(20),
                        new SocketOptions(false, true, 21, 22)));
        assertThat(DEFAULTS).isEqualTo(EngineOptions.of(Backend.EPOLL));
    }

    /** A time without end is a wish that many have. */
    @Test
    void theLongestTimesAreTaken() throws IOException {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        try (LoopGroup group = LoopGroup.open(DEFAULTS.withLinger(endless).withShutdownGrace(endless))) {
            assertThat(group.shutdown(endless)).isTrue();
        }
    }
}
