package im.zonda.module.hostmeta;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Http;
import im.zonda.config.ServerConfig;
import im.zonda.config.Services;
import im.zonda.config.Services.HostMeta;
import im.zonda.config.copy.RecordCopy;
import im.zonda.http.HttpContent;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestHttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HostMetaModuleTest {
  private static String get(@Nullable String url, String path) throws Exception {
    return ask(new Http(List.of("127.0.0.1:5280"), List.of(), url, List.of("*")), path);
  }

  private static String get(HostMeta meta, @Nullable String url, String path) throws Exception {
    Http http = new Http(List.of("127.0.0.1:5280"), List.of(), url, List.of("*"));
    return ask(http, meta, path);
  }

  private static String ask(Http http, String path) throws Exception {
    return ask(http, HostMeta.DEFAULTS, path);
  }

  private static String ask(Http http, HostMeta meta, String path) throws Exception {
    ServerConfig plain =
        ServerConfig.defaults(List.of("example.org"), Path.of("data")).withHttp(http);
    ServerConfig config = RecordCopy.with(plain, "services", Services.DEFAULTS.with(meta));
    TestContext context = new TestContext().config(config).install(new HostMetaModule());
    HttpResponse response = context.host().http(new TestHttpRequest(HttpMethod.GET, path));
    assertThat(response.status()).isEqualTo(200);
    return new String(((HttpContent.Bytes) response.content()).bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void theWebSocketIsListed() throws Exception {
    String url = "https://xmpp.{host}:444/";
    assertThat(get(url, "/.well-known/host-meta"))
        .contains("<XRD xmlns='http://docs.oasis-open.org/ns/xri/xrd-1.0'>")
        .contains("rel='urn:xmpp:alt-connections:websocket'")
        .contains("href='wss://xmpp.example.org:444/xmpp-websocket'");
    assertThat(get(url, "/.well-known/host-meta.json"))
        .isEqualTo(
            "{\"links\":[{\"rel\":\"urn:xmpp:alt-connections:websocket\","
                + "\"href\":\"wss://xmpp.example.org:444/xmpp-websocket\"},"
                + "{\"rel\":\"urn:xmpp:alt-connections:xbosh\","
                + "\"href\":\"https://xmpp.example.org:444/http-bind\"}]}");
  }

  @Test
  void boshIsListedOnlyIfItIsOn() throws Exception {
    List<String> plain = List.of("127.0.0.1:5280");
    Http off = new Http(plain, List.of(), "https://{host}", List.of("*"), false, List.of());
    assertThat(ask(off, "/.well-known/host-meta")).contains("websocket").doesNotContain("bosh");
  }

  /// XEP-0487, section 2.1.
  @Test
  void withAddressesTheFileTakesThePlaceOfDns() throws Exception {
    HostMeta meta =
        new HostMeta(List.of("192.0.2.7", "2001:db8::7"), 443, 5270, Duration.ofMinutes(50));
    String rest =
        "\"ips\":[\"192.0.2.7\",\"2001:db8::7\"],\"priority\":%d,\"weight\":0,\"sni\":\"%s\"}";
    assertThat(get(meta, "https://xmpp.{host}", "/.well-known/host-meta.json"))
        .isEqualTo(
            "{\"xmpp\":{\"ttl\":3000},\"links\":["
                + "{\"rel\":\"urn:xmpp:alt-connections:websocket\","
                + "\"href\":\"wss://xmpp.example.org/xmpp-websocket\","
                + rest.formatted(20, "xmpp.example.org")
                + ",{\"rel\":\"urn:xmpp:alt-connections:xbosh\","
                + "\"href\":\"https://xmpp.example.org/http-bind\","
                + rest.formatted(20, "xmpp.example.org")
                + ",{\"rel\":\"urn:xmpp:alt-connections:tls\",\"port\":443,"
                + rest.formatted(10, "example.org")
                + ",{\"rel\":\"urn:xmpp:alt-connections:s2s-tls\",\"port\":5270,"
                + rest.formatted(10, "example.org")
                + "]}");
    assertThat(get(meta, "https://xmpp.{host}", "/.well-known/host-meta"))
        .as("the file in XML is that of XEP-0156")
        .doesNotContain("192.0.2.7", "alt-connections:tls");
    HostMeta clients = new HostMeta(List.of("192.0.2.7"), 5223, 0, Duration.ofHours(1));
    assertThat(get(clients, null, "/.well-known/host-meta.json"))
        .contains("\"port\":5223", "\"ttl\":3600")
        .doesNotContain("s2s", "href");
  }

  /// XEP-0156, section 4.2: URLs without encryption are not listed.
  @Test
  void withoutTlsNothingIsListed() throws Exception {
    assertThat(get(null, "/.well-known/host-meta.json")).isEqualTo("{\"links\":[]}");
  }
}
