package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ProxyProtocol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[proxy-protocol]`: which listeners, and which proxies.
class ProxySettingsTest {
  @TempDir private Path folder;

  private ProxyProtocol read(String text) throws Exception {
    return new WrittenFile(folder).read(text).config().proxyProtocol();
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void noListenerExpectsTheHeaderByDefault() throws Exception {
    assertThat(read("")).isEqualTo(ProxyProtocol.DEFAULTS);
    assertThat(ProxyProtocol.DEFAULTS.listeners()).isEmpty();
  }

  @Test
  void eachSectionMayHaveListenersBehindProxies() throws Exception {
    ProxyProtocol settings =
        read(
            """
            c2s.listen = ["127.0.0.1:1", "127.0.0.1:2"]
            c2s.listen-tls = ["127.0.0.1:3"]
            s2s.listen = ["127.0.0.1:4"]
            s2s.listen-tls = ["127.0.0.1:5"]
            component.listen = ["127.0.0.1:6"]
            http.listen = ["127.0.0.1:7"]
            http.listen-tls = ["[::1]:8"]
            proxy-protocol.trusted = ["10.0.0.0/8"]
            proxy-protocol.header-time = "2s"
            proxy-protocol.listeners = ["127.0.0.1:1", "127.0.0.1:3", "127.0.0.1:4",
                "127.0.0.1:5", "127.0.0.1:6", "127.0.0.1:7", "[::1]:8"]
            """);
    assertThat(settings.listeners()).hasSize(7).doesNotContain("127.0.0.1:2");
    assertThat(settings.headerTime()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void whatWouldHaveNoEffectOrAcceptNoneIsAnError() {
    assertThat(
            problems(
                """
                c2s.listen = ["127.0.0.1:5222"]
                proxy-protocol.listeners = ["127.0.0.1:5224"]
                proxy-protocol.trusted = ["10.0.0.0/33"]
                """))
        .containsExactly(
            "2:1: proxy-protocol.listeners: 127.0.0.1:5224 is in no listen or listen-tls of"
                + " another section",
            "3:1: proxy-protocol.trusted: \"10.0.0.0/33\" is no address or network");
    assertThat(problems("proxy-protocol.trusted = [\"10.0.0.1\"]\n"))
        .singleElement()
        .asString()
        .contains("proxy-protocol.trusted has no effect");
    assertThat(
            problems(
                """
                c2s.listen = ["127.0.0.1:5222"]
                proxy-protocol.listeners = ["127.0.0.1:5222"]
                """))
        .singleElement()
        .asString()
        .contains("would accept no connection: proxy-protocol.trusted names no proxy");
    assertThat(problems("http.trusted-proxies = [\"x\"]\n"))
        .singleElement()
        .asString()
        .contains("http.trusted-proxies: \"x\" is no address or network");
  }

  @Test
  void theSettingsOfAnEdgeAreCheckedToo() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("edge.toml"),
            """
            [edge]
            core = "core.example.org:5225"
            [proxy-protocol]
            listeners = ["127.0.0.1:5269"]
            trusted = ["10.0.0.1"]
            """);
    assertThatThrownBy(() -> SettingsReader.readEdge(file, folder))
        .hasMessageContaining("proxy-protocol.listeners: 127.0.0.1:5269 is in no listen");
  }
}
