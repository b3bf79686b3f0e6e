package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wheel against the plainest model there is: a list of due times. */
class TimerWheelTest {
    private static final long TICK = TimerWheel.TICK_NANOS;
    private static final long REVOLUTION = 1024 * TICK;
    private static final Runnable NOTHING = () -> {};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void behavesAsTheModel(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long now = random.nextLong();
        TimerWheel wheel = new TimerWheel(now);
        Map<Timer, Long> model = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    long delay = delay(random);
                    model.put(wheel.schedule(now, delay, NOTHING), now + Math.max(0, delay));
                }
                case 2 -> cancelOne(random, model);
                default -> {
                    now += random.nextInt(10) == 0 ? random.nextLong(3 * REVOLUTION) : random.nextLong(20 * TICK);
                    expire(wheel, model, now);
                }
            }
            requireUsefulDelay(wheel, model, now);
        }
        now += 20 * REVOLUTION;
        expire(wheel, model, now);
        assertThat(model).isEmpty();
        assertThat(wheel.delayNanos(now)).isNegative();
    }

    private static long delay(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextLong(TICK);
            case 2 -> random.nextLong(50 * TICK);
            case 3 -> random.nextLong(2 * REVOLUTION);
            default -> random.nextLong(-TICK, 10 * REVOLUTION);
        };
    }

    private static void cancelOne(SplittableRandom random, Map<Timer, Long> model) {
        if (!model.isEmpty()) {
            List<Timer> timers = new ArrayList<>(model.keySet());
            Timer timer = timers.get(random.nextInt(timers.size()));
            assertThat(timer.pending()).isTrue();
            timer.cancel();
            timer.cancel();
            assertThat(timer.pending()).isFalse();
            model.remove(timer);
        }
    }

    /** None comes early, none comes twice or after its cancellation, and none is more than a tick late. */
    private static void expire(TimerWheel wheel, Map<Timer, Long> model, long now) {
        for (Timer timer = wheel.expire(now); timer != null; timer = wheel.expire(now)) {
            Long due = model.remove(timer);
            assertThat(due).as("due time of a timer that is still wanted").isNotNull();
            assertThat(now - orZero(due)).as("nanoseconds after the due time").isNotNegative();
            assertThat(timer.pending()).isFalse();
        }
        for (Map.Entry<Timer, Long> entry : model.entrySet()) {
            assertThat(now - entry.getValue())
                    .as("nanoseconds after the due time of one that did not come")
                    .isLessThan(TICK);
        }
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    /** A loop that waits as long as it is told misses no timer, and makes progress towards the next. */
    private static void requireUsefulDelay(TimerWheel wheel, Map<Timer, Long> model, long now) {
        long delay = wheel.delayNanos(now);
        if (model.isEmpty()) {
            assertThat(delay).isNegative();
            return;
        }
        long untilNext = Long.MAX_VALUE;
        for (long due : model.values()) {
            untilNext = Math.min(untilNext, due - now);
        }
        assertThat(delay).isNotNegative().isLessThanOrEqualTo(Math.max(0, untilNext) + TICK);
    }

    /** Waiting just as long as told, the timers come within a tick of their time, and in a bounded number of waits. */
    @Test
    void waitingAsToldIsEnough() {
        SplittableRandom random = new SplittableRandom(11);
        long now = 77;
        TimerWheel wheel = new TimerWheel(now);
        Map<Timer, Long> model = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            long delay = random.nextLong(5 * REVOLUTION);
            model.put(wheel.schedule(now, delay, NOTHING), now + delay);
        }
        int waits = 0;
        while (!model.isEmpty()) {
            long delay = wheel.delayNanos(now);
            now += Math.max(delay, 1);
            expire(wheel, model, now);
            waits++;
            assertThat(waits).as("waits").isLessThan(1_000);
        }
    }

    @Test
    void comeInTheOrderOfTheirTimes() {
        SplittableRandom random = new SplittableRandom(12);
        TimerWheel wheel = new TimerWheel(0);
        Map<Timer, Long> model = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            long delay = random.nextLong(900 * TICK);
            model.put(wheel.schedule(0, delay, NOTHING), delay);
        }
        long last = 0;
        for (Timer timer = wheel.expire(REVOLUTION); timer != null; timer = wheel.expire(REVOLUTION)) {
            long due = orZero(model.remove(timer));
            assertThat(due).isGreaterThan(last - TICK);
            last = Math.max(last, due);
        }
        assertThat(model).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE - TICK, Long.MAX_VALUE / 2})
    void neverIsNeverEarly(long delay) {
        long start = 123_456_789L;
        TimerWheel wheel = new TimerWheel(start);
        Timer timer = wheel.schedule(start + REVOLUTION, delay, NOTHING);
        assertThat(wheel.expire(start + 10 * REVOLUTION)).isNull();
        assertThat(wheel.delayNanos(start + 10 * REVOLUTION)).isPositive();
        timer.cancel();
        assertThat(wheel.delayNanos(start + 10 * REVOLUTION)).isNegative();
    }

    @Test
    void negativeDelaysAreOver() {
        TimerWheel wheel = new TimerWheel(-5);
        Timer timer = wheel.schedule(-5, Long.MIN_VALUE, NOTHING);
        assertThat(wheel.expire(-5 + TICK)).isSameAs(timer);
    }
}
