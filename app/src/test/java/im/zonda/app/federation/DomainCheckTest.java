package im.zonda.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.federation.DomainCheck.Report;
import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.config.S2s;
import im.zonda.config.copy.RecordCopy;
import im.zonda.dns.ServerAddresses;
import im.zonda.dns.Target;
import im.zonda.dns.Tlsa;
import im.zonda.net.tls.CertificateFiles;
import im.zonda.net.tls.Certificates;
import im.zonda.net.tls.PemFiles;
import im.zonda.net.tls.SelfSigned;
import im.zonda.stream.server.DialbackKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `zonda s2s check` from `a.example`, against a server of `b.example`.
@Timeout(120)
class DomainCheckTest {
  private static final InstantSource CLOCK = InstantSource.system();

  /// What is before an advice.
  private static final String ADVICE = " ".repeat(22);

  @TempDir private static Path folder = Path.of("");

  @BeforeAll
  static void makeCertificates() {
    TwoServers.makeCertificates(folder);
  }

  private TwoServers start(Mode mode) throws IOException {
    return TwoServers.start(mode, folder, UnaryOperator.identity());
  }

  private static S2s settings(TwoServers servers) {
    return RecordCopy.with(servers.a().config(), "s2s.enabled", true).s2s();
  }

  private Report check(S2s settings, ServerAddresses addresses, @Nullable DialbackKeys keys)
      throws IOException {
    PemFiles own = new PemFiles(folder.resolve("a.example.crt"), folder.resolve("a.example.key"));
    return check(settings, addresses, keys, own);
  }

  private static Report check(
      S2s settings, ServerAddresses addresses, @Nullable DialbackKeys keys, PemFiles own)
      throws IOException {
    Certificates certificates =
        new Certificates(new CertificateFiles(List.of(own)), CLOCK, settings.ca());
    return DomainCheck.run(
        new DomainCheck.Parts(settings, addresses, certificates, keys, CLOCK),
        "a.example",
        "b.example");
  }

  private static PemFiles selfSigned() throws IOException {
    return SelfSigned.ensure(
        Files.createDirectories(folder.resolve("self")),
        List.of("a.example"),
        CLOCK,
        new SecureRandom());
  }

  @ParameterizedTest
  @EnumSource(names = {"DIRECT_TLS", "STARTTLS"})
  void certificatesOfACommonAuthorityAreEnough(Mode mode) throws IOException {
    try (TwoServers servers = start(mode)) {
      Report report = check(settings(servers), servers.addresses(), null);
      assertThat(report.text())
          .contains("ok       certificate  ours is good for a.example\n")
          .contains(" accepts connections\n")
          .contains("ok       TLS          TLSv1.3, ")
          .contains("ok       certificate  CN=b.example")
          .contains("SASL EXTERNAL")
          .contains("ok       proof        it accepts our certificate (SASL EXTERNAL)\n")
          .endsWith("b.example can be reached from a.example\n");
      assertThat(report.works()).isTrue();
    }
  }

  @Test
  void dialbackIsConfirmedByTheRunningServer() throws IOException {
    try (TwoServers servers = start(Mode.DIALBACK)) {
      DialbackKeys keys = new DialbackKeys("the secret of a.example");
      Report report = check(settings(servers), servers.addresses(), keys, selfSigned());
      assertThat(report.text())
          .contains("warning  certificate  others may not accept ours for a.example: it is")
          .contains("ok       proof        it accepts us by dialback\n");
      assertThat(report.works()).isTrue();

      Report other =
          check(settings(servers), servers.addresses(), new DialbackKeys("x"), selfSigned());
      assertThat(other.text()).contains("PROBLEM  proof        dialback fails: invalid");
      assertThat(other.works()).isFalse();

      Report stopped = check(settings(servers), servers.addresses(), null, selfSigned());
      assertThat(stopped.text())
          .contains("only while this server runs\n" + ADVICE + "to be repaired here\n");
      assertThat(stopped.works()).isFalse();
    }
  }

  @Test
  void ourCertificateIsNotAccepted() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      Report report = check(settings(servers), servers.addresses(), null, selfSigned());
      assertThat(report.text())
          .contains("PROBLEM  proof        it does not offer SASL EXTERNAL")
          .contains("does not allow dialback\n" + ADVICE + "to be repaired here\n")
          .endsWith("b.example CANNOT be reached from a.example\n");
      assertThat(report.works()).isFalse();
    }
  }

  @Test
  void theirCertificateIsNotTrusted() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      Path own = folder.resolve("a.example.crt");
      Report report =
          check(
              RecordCopy.with(
                      RecordCopy.with(servers.a().config(), "s2s.enabled", true), "s2s.ca", own)
                  .s2s(),
              servers.addresses(),
              null);
      assertThat(report.text())
          .contains("PROBLEM  certificate  its certificate leads to no authority")
          .contains("\n" + ADVICE + "to be repaired at the other server\n");
      assertThat(report.works()).isFalse();
    }
  }

  @Test
  void daneExcludesAServer() throws IOException {
    try (TwoServers servers = start(Mode.STARTTLS)) {
      InetSocketAddress address = servers.b().serverAddress(false);
      Target target =
          new Target(
              "xmpp.b.example",
              List.of(address.getAddress()),
              address.getPort(),
              false,
              List.of(new Tlsa(3, 0, 1, "00".repeat(32))));
      ServerAddresses found = domain -> new ServerAddresses.Found.Targets(List.of(target), true);
      assertThat(check(settings(servers), found, null).text())
          .contains("PROBLEM  certificate  its certificate is none of those that its TLSA");
    }
  }

  @Test
  void dnsAndPolicyAreNamed() throws IOException {
    Report unknown = check(S2s.DEFAULTS, domain -> new ServerAddresses.Found.NoSuchDomain(), null);
    assertThat(unknown.text())
        .contains("PROBLEM  settings     s2s.enabled is false\n" + ADVICE + "to be repaired here\n")
        .contains("PROBLEM  DNS          b.example has no XMPP server")
        .contains("\n" + ADVICE + "to be repaired in the DNS of the remote domain\n");
    assertThat(unknown.works()).isFalse();
    assertThat(
            check(S2s.DEFAULTS, domain -> new ServerAddresses.Found.Unavailable("SERVFAIL"), null)
                .text())
        .contains("PROBLEM  DNS          SERVFAIL");
  }

  @Test
  void anAddressThatDoesNotAnswerIsANoteWhereAnotherOneWorks() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Target nobody = new Target("down.b.example", List.of(loopback), 1, false, List.of());
    try (TwoServers servers = start(Mode.STARTTLS)) {
      InetSocketAddress address = servers.b().serverAddress(false);
      Target good = new Target("b.example", List.of(loopback), address.getPort(), false, List.of());
      Report report =
          check(
              settings(servers),
              domain -> new ServerAddresses.Found.Targets(List.of(nobody, good), false),
              null);
      assertThat(report.text()).contains("warning  TCP          127.0.0.1 port 1: ");
      assertThat(report.works()).isTrue();
      Report alone =
          check(
              settings(servers),
              domain -> new ServerAddresses.Found.Targets(List.of(nobody), false),
              null);
      assertThat(alone.text()).contains("PROBLEM  TCP          127.0.0.1 port 1: ");
      assertThat(alone.works()).isFalse();
    }
  }

  @Test
  void aServerThatSpeaksNoXmppIsBad() throws Exception {
    try (TwoServers servers = start(Mode.STARTTLS);
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answers =
          Thread.ofVirtual()
              .start(() -> {
                try (var socket = other.accept()) {
                  socket
                      .getOutputStream()
                      .write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII));
                  socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      Target target =
          new Target(
              "b.example", List.of(other.getInetAddress()), other.getLocalPort(), false, List.of());
      Report report =
          check(
              settings(servers),
              domain -> new ServerAddresses.Found.Targets(List.of(target), false),
              null);
      answers.join();
      assertThat(report.text()).contains("PROBLEM  stream       what it sends is no XMPP");
    }
  }
}
