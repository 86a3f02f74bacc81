package im.zonda.app.federation;

import im.zonda.app.finding.Finding;
import im.zonda.config.S2s;
import im.zonda.dns.Target;
import im.zonda.net.tls.ClientTls;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.StreamXml;
import im.zonda.stream.TlsStart;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.stream.server.DialbackKeys;
import im.zonda.stream.server.DomainCertificate;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The steps of a check at one address of a server: TCP, TLS, certificate, features, proof of our
/// domain. Blocks.
final class AddressCheck {
  private static final int CONNECT_MILLIS = 10_000;
  private static final Duration SOON = Duration.ofDays(14);
  private static final QName STARTTLS = new QName(Namespaces.TLS, "starttls");
  private static final QName MECHANISMS = new QName(Namespaces.SASL, "mechanisms");

  /// What came of it.
  enum Outcome {
    GOOD,
    BAD,
    /// There was no connection.
    UNREACHABLE
  }

  private final DomainCheck.Parts parts;
  private final String local;
  private final String remote;
  private final Target target;
  private final InetSocketAddress address;
  private final List<Finding> findings = new ArrayList<>();

  AddressCheck(
      DomainCheck.Parts parts,
      String local,
      String remote,
      Target target,
      InetSocketAddress address) {
    this.parts = parts;
    this.local = local;
    this.remote = remote;
    this.target = target;
    this.address = address;
  }

  List<Finding> findings() {
    return findings;
  }

  Outcome run() {
    String where = address.getAddress().getHostAddress() + " port " + address.getPort();
    try (Socket socket = new Socket()) {
      try {
        socket.connect(address, CONNECT_MILLIS);
      } catch (IOException e) {
        String why = e instanceof SocketTimeoutException ? "no answer in time" : e.getMessage();
        findings.add(Finding.problem("TCP", where + ": " + why, Repair.NETWORK.advice()));
        return Outcome.UNREACHABLE;
      }
      findings.add(Finding.ok("TCP", where + " accepts connections"));
      try (ServerConversation conversation = new ServerConversation(socket, parts.clock())) {
        return converse(conversation) ? Outcome.GOOD : Outcome.BAD;
      }
    } catch (IOException e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      findings.add(Finding.problem("stream", reason, Repair.THEM.advice()));
      return Outcome.BAD;
    }
  }

  private boolean converse(ServerConversation conversation) throws IOException {
    if (!target.directTls() && !startTls(conversation)) {
      return false;
    }
    ClientTls tls;
    try {
      List<String> protocols = target.directTls() ? List.of("xmpp-server") : List.of();
      tls =
          conversation.startTls(
              parts.certificates(), TlsStart.client(remote, protocols).withCertificateOf(local));
    } catch (IOException e) {
      findings.add(Finding.problem("TLS", "no TLS: " + e.getMessage(), Repair.THEM.advice()));
      return false;
    }
    findings.add(
        Finding.ok(
            "TLS",
            tls.socket().getSession().getProtocol()
                + ", "
                + tls.socket().getSession().getCipherSuite()));
    if (!checkCertificate(tls.peer())) {
      return false;
    }
    Element features = conversation.open(local, remote);
    findings.add(Finding.ok("features", describe(features)));
    return prove(conversation, features);
  }

  private boolean startTls(ServerConversation conversation) throws IOException {
    Element features = conversation.open(local, remote);
    if (features.child(STARTTLS) == null) {
      findings.add(Finding.problem("TLS", "it does not offer STARTTLS", Repair.THEM.advice()));
      return false;
    }
    conversation.send(Element.of(STARTTLS));
    Element answer = conversation.read();
    if (!answer.name().equals(new QName(Namespaces.TLS, "proceed"))) {
      findings.add(Finding.problem("TLS", "it cannot start TLS", Repair.THEM.advice()));
      return false;
    }
    return true;
  }

  private boolean checkCertificate(@Nullable PeerCertificates peer) {
    if (peer == null) {
      findings.add(Finding.problem("certificate", "it presents none", Repair.THEM.advice()));
      return false;
    }
    Instant now = parts.clock().instant();
    DomainCertificate.Verdict verdict = DomainCertificate.check(peer, remote, target, now);
    String problem = verdict.problem();
    X509Certificate leaf = peer.chain().getFirst();
    String described =
        peer.chain().stream()
            .map(each -> each.getSubjectX500Principal().getName())
            .collect(Collectors.joining(" < "));
    Instant end = leaf.getNotAfter().toInstant();
    if (problem == null) {
      findings.add(Finding.ok("certificate", described + ", valid until " + end));
      if (end.isBefore(now.plus(SOON))) {
        findings.add(Finding.warning("certificate", "it expires soon"));
      }
      return true;
    }
    if (allowsDialback() && !verdict.isExcluded()) {
      findings.add(
          Finding.warning("certificate", problem + "; dialback is enough here: " + described));
      return true;
    }
    findings.add(Finding.problem("certificate", problem + ": " + described, Repair.THEM.advice()));
    return false;
  }

  private boolean allowsDialback() {
    return parts.settings().trustOf(remote) == S2s.Trust.CERTIFICATE_OR_DIALBACK;
  }

  private static String describe(Element features) {
    List<String> names = new ArrayList<>();
    for (Element each : features.children()) {
      if (each.name().equals(MECHANISMS)) {
        each.children().forEach(mechanism -> names.add("SASL " + mechanism.text().strip()));
      } else {
        names.add(each.name().name());
      }
    }
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  // ---- proof of our domain

  private boolean prove(ServerConversation conversation, Element features) throws IOException {
    Element mechanisms = features.child(MECHANISMS);
    boolean external =
        mechanisms != null
            && mechanisms.children().stream()
                .anyMatch(each -> each.text().strip().equals("EXTERNAL"));
    String reason = "it does not offer SASL EXTERNAL: it does not accept our certificate";
    if (external) {
      String identity = SaslBase64.encode(local.getBytes(StandardCharsets.UTF_8));
      conversation.send(
          Element.builder(Namespaces.SASL, "auth")
              .attribute("mechanism", "EXTERNAL")
              .text(identity)
              .build());
      Element answer = conversation.read();
      if (answer.name().name().equals("success")) {
        Element after = conversation.open(local, remote);
        findings.add(Finding.ok("proof", "it accepts our certificate (SASL EXTERNAL)"));
        findings.add(Finding.ok("features", "then: " + describe(after)));
        return true;
      }
      reason = "it rejects our certificate: " + ServerConversation.describe(answer);
    }
    if (!allowsDialback()) {
      findings.add(
          Finding.problem(
              "proof", reason + "; s2s.trust does not allow dialback", blame().advice()));
      return false;
    }
    findings.add(Finding.warning("proof", reason));
    return dialBack(conversation);
  }

  /// Who must repair that our certificate is not accepted.
  private Repair blame() {
    String problem =
        DomainCertificate.findProblem(
            parts.certificates().presentedFor(local), local, parts.clock().instant());
    return problem == null ? Repair.THEM : Repair.US;
  }

  private boolean dialBack(ServerConversation conversation) throws IOException {
    DialbackKeys keys = parts.keys();
    String id = conversation.id();
    if (keys == null || id == null) {
      findings.add(
          keys == null
              ? Finding.problem(
                  "proof",
                  "dialback can be checked only while this server runs",
                  Repair.US.advice())
              : Finding.problem("proof", "it has given the stream no id", Repair.THEM.advice()));
      return false;
    }
    conversation.send(
        Element.builder(new QName(StreamXml.DIALBACK, "result"))
            .attribute("from", local)
            .attribute("to", remote)
            .text(keys.make(remote, local, id))
            .build());
    Element answer = conversation.read();
    String type = answer.attribute("type");
    if (answer.name().equals(new QName(StreamXml.DIALBACK, "result")) && "valid".equals(type)) {
      findings.add(Finding.ok("proof", "it accepts us by dialback"));
      return true;
    }
    String said =
        answer.children().isEmpty()
            ? String.valueOf(type)
            : ServerConversation.describe(answer.children().getFirst());
    findings.add(
        Finding.problem(
            "proof",
            "dialback fails: "
                + said
                + "; it must find this server in the DNS of "
                + local
                + " and reach it",
            Repair.US.advice()));
    return false;
  }
}
