package dev.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({"1,1", "100,100", "1k,1000", "10K,10000", "2.5k,2500", "1M,1000000", "2Ki,2048"})
    void readsCounts(String text, int count) {
        assertThat(new Units.Count().convert(text)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({"100,100", "100B,100", "1k,1000", "1kB,1000", "64KiB,65536", "10MB,10000000"})
    void readsSizes(String text, int bytes) {
        assertThat(new Units.Size().convert(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "10s,10000", "10,10000", "2m,120000", "1.5s,1500", "1h,3600000"})
    void readsTimes(String text, long millis) {
        assertThat(new Units.Time().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "1x", "0", "3G", "1.0001", "99999999999999999999", "1e3"})
    void refusesWhatIsNoCount(String text) {
        assertThatThrownBy(() -> new Units.Count().convert(text)).isInstanceOf(TypeConversionException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "10 parsecs", "-1s", "99999999999999h"})
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> new Units.Time().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("such as 500ms, 10s or 2m");
    }

    @Test
    void readsTargets() {
        HostPort.Converter converter = new HostPort.Converter();
        assertThat(converter.convert("localhost:7000")).isEqualTo(new HostPort("localhost", 7000));
        assertThat(converter.convert("[::1]:80")).isEqualTo(new HostPort("::1", 80));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", ":80", "::1:80", "host:0", "host:65536", "host:port", "[::1]"})
    void refusesWhatIsNoTarget(String text) {
        assertThatThrownBy(() -> new HostPort.Converter().convert(text)).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void printsNumbersWithTheDigitsTheyDeserve() {
        assertThat(Numbers.grouped(1234567.4)).isEqualTo("1 234 567");
        assertThat(Numbers.significant(834.4)).isEqualTo("834");
        assertThat(Numbers.significant(13.12)).isEqualTo("13.1");
        assertThat(Numbers.significant(0.6249)).isEqualTo("0.62");
        assertThat(Numbers.plain(50)).isEqualTo("50");
        assertThat(Numbers.plain(99.99)).isEqualTo("99.99");
    }
}
