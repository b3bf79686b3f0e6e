package dev.headrace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.engine.driver.Capabilities;
import dev.headrace.engine.driver.Capabilities.Rung;
import dev.headrace.testkit.Content;
import dev.headrace.testkit.EveryBackend;
import dev.headrace.testkit.Peer;
import dev.headrace.testkit.Server;
import dev.headrace.testkit.Setting;
import java.io.IOException;

/** A rung that is masked is not used, and says why; else the whole suite would pass without it having been away. */
class RungsTest {
    @EveryBackend
    void whatIsMaskedIsNotInUse(Setting setting) throws IOException {
        try (Server server = Server.echo(setting);
                Peer peer = server.connect()) {
            peer.exchange(Content.of(1, 10_000));
            Capabilities capabilities = server.group().capabilities();
            assertThat(setting.masked()).noneMatch(capabilities::uses);
            for (Rung rung : capabilities.rungs()) {
                assertThat(rung.reason()).as(rung.name()).isNotBlank();
                if (!setting.masked().contains(rung.name())) {
                    assertThat(rung.reason()).as(rung.name()).isNotEqualTo("masked");
                } else if (setting.masked().size() == 1) {
                    assertThat(rung.reason()).as(rung.name()).isEqualTo("masked");
                }
            }
        }
    }
}
