package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.status.Version;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.net.Listener;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyMessageTest {
  private static final ServerConfig CONFIG =
      ServerConfig.defaults(List.of("a.example", "b.example"), Path.of("/data"));

  private static final List<Listener> LISTENERS =
      List.of(
          Listener.parse(Listener.Kind.HTTP, "127.0.0.1:5280"),
          Listener.parse(Listener.Kind.STARTTLS, "127.0.0.1:5222"),
          Listener.parse(Listener.Kind.STARTTLS, "[::1]:5222"),
          Listener.parse(Listener.Kind.SERVER, "127.0.0.1:5269"),
          Listener.parse(Listener.Kind.SERVER_DIRECT_TLS, "127.0.0.1:5270"),
          Listener.parse(Listener.Kind.API, "127.0.0.1:5290"),
          Listener.parse(Listener.Kind.COMPONENT, "127.0.0.1:5347"));

  private static List<String> lines(ServerConfig config, Path file) {
    return new ReadyMessage(config, file, LISTENERS, null, List.of()).text(1.234).lines().toList();
  }

  @Test
  void saysWhereClientsConnect() {
    assertThat(lines(CONFIG, Path.of("z.toml")))
        .containsExactly(
            "zonda " + Version.current() + " is ready after 1.23 s",
            "  browsers   http://127.0.0.1:5280 (https://a.example:5281)",
            "  hosts      a.example, b.example",
            "  clients    127.0.0.1:5222, [::1]:5222 (STARTTLS)",
            "             none (TLS)",
            "  data       /data",
            "  add users  ./zonda user add --config z.toml NAME@a.example");
  }

  @Test
  void warnsOfCertificatesLast() {
    String warning = "tls.certificate: no certificate names a.example; this one names b.example";
    assertThat(
            new ReadyMessage(CONFIG, Path.of("z.toml"), LISTENERS, null, List.of(warning))
                .text(1)
                .lines())
        .endsWith("  warning    " + warning);
  }

  @Test
  void saysHowToOpenTheConsole() {
    String link = "http://127.0.0.1:5280/admin/link#secret";
    assertThat(
            new ReadyMessage(CONFIG, Path.of("z.toml"), LISTENERS, link, List.of()).text(1).lines())
        .endsWith(
            "  console    " + link,
            "             (once, within 10 minutes; ./zonda admin link makes another one)");
  }

  @Test
  void saysWhereProgramsConnect() {
    ServerConfig all = RecordCopy.with(CONFIG, "api.listen", List.of("127.0.0.1:5290"));
    assertThat(lines(all, Path.of("z.toml")))
        .containsSubsequence(
            "  programs   127.0.0.1:5290 (HTTP)",
            "             none (HTTPS)",
            "  data       /data");
  }

  @Test
  void saysWhereServersAndComponentsConnect() {
    ServerConfig all =
        RecordCopy.with(
            RecordCopy.with(CONFIG, "s2s.enabled", true),
            "component.listen",
            List.of("127.0.0.1:5347"));
    assertThat(lines(all, Path.of("z.toml")))
        .containsSubsequence(
            "             none (TLS)",
            "  servers    127.0.0.1:5269 (STARTTLS)",
            "             127.0.0.1:5270 (TLS)",
            "  components 127.0.0.1:5347",
            "  data       /data");
  }
}
