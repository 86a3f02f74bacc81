package im.zonda.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding;
import im.zonda.app.finding.Finding.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HostMetaChecksTest {
  private static final String URL = "https://chat.example.org:5281";

  private static Finding check(@Nullable String text, String url) {
    return HostMetaChecks.check(
        new HostMetaFacts("example.org", text, text == null ? "HTTP status 404" : null), url);
  }

  private static String links(String href) {
    return "{\"links\":[{\"rel\":\"urn:xmpp:alt-connections:websocket\",\"href\":\""
        + href
        + "\"}]}";
  }

  @Test
  void itLeadsToTheWebSocket() {
    Finding good = check(links("wss://chat.example.org:5281/xmpp-websocket"), URL);
    assertThat(good.level()).isEqualTo(Level.OK);
    assertThat(good.text())
        .isEqualTo(
            "https://example.org/.well-known/host-meta.json leads to the WebSocket of"
                + " chat.example.org:5281");
  }

  @Test
  void itIsMissing() {
    Finding missing = check(null, URL);
    assertThat(missing.level()).isEqualTo(Level.WARNING);
    assertThat(missing.text()).endsWith("host-meta.json: HTTP status 404");
    assertThat(missing.advice())
        .contains("location /.well-known/host-meta { proxy_pass https://chat.example.org:5281; }");
  }

  @Test
  void itLeadsElsewhere() {
    assertThat(check("{}", URL).text()).endsWith("names no WebSocket");
    assertThat(check(links("wss://old.example.org/ws"), URL).text())
        .contains("leads to another WebSocket");
    assertThat(check("{}", URL).level()).isEqualTo(Level.WARNING);
    assertThat(check(links("wss://old.example.org/ws"), URL).level()).isEqualTo(Level.WARNING);
  }

  @Test
  void browsersNeedHttps() {
    Finding plain = check(links("wss://example.org/xmpp-websocket"), "http://example.org:5280");
    assertThat(plain.level()).isEqualTo(Level.WARNING);
    assertThat(plain.advice()).containsExactly("[http]", "url = \"https://example.org\"");
  }
}
