package im.zonda.stream.server;

import im.zonda.link.ServerStreamGate;
import im.zonda.stream.InputLimits;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.Stream;
import im.zonda.throttle.VerificationThrottle;
import im.zonda.xml.Element;
import im.zonda.xml.XmlLimits;
import java.time.InstantSource;
import java.util.function.Function;

/// The settings and ports that all streams with other servers share. Any thread may call.
final class ServerStreamContext {
  private final ServerStreamSettings settings;
  private final Ports ports;
  private final Function<KeyVerification, ServerConnector.Profiles> verifying;
  private final VerificationThrottle verifications;
  private final ResumableLinks resumable;

  /// The parts of the server that streams use.
  ///
  /// @param served the domains served here
  /// @param gate where stanzas go
  /// @param connector connects to servers that verify dialback keys
  record Ports(
      ServedDomains served,
      ServerStreamPolicy policy,
      ServerStreamGate gate,
      ServerConnector connector) {}

  /// @param verifying makes the profiles of a stream that verifies a dialback key
  ServerStreamContext(
      ServerStreamSettings settings,
      Ports ports,
      Function<KeyVerification, ServerConnector.Profiles> verifying) {
    this.settings = settings;
    this.ports = ports;
    this.verifying = verifying;
    this.verifications = new VerificationThrottle(settings.keys().make("", "", "throttle"));
    this.resumable = new ResumableLinks(settings.resumption(), settings.runtime().clock());
  }

  /// The profiles of a stream that verifies a dialback key.
  ServerConnector.Profiles verifying(KeyVerification verification) {
    return verifying.apply(verification);
  }

  ServedDomains served() {
    return ports.served();
  }

  ServerStreamPolicy policy() {
    return ports.policy();
  }

  ServerStreamGate gate() {
    return ports.gate();
  }

  ServerConnector connector() {
    return ports.connector();
  }

  /// Bounds the connections that dialback keys of other servers cost.
  VerificationThrottle verifications() {
    return verifications;
  }

  ResumableLinks resumable() {
    return resumable;
  }

  /// An identifier that cannot be guessed.
  String newId() {
    return settings.runtime().ids().next();
  }

  DialbackKeys keys() {
    return settings.keys();
  }

  InstantSource clock() {
    return settings.runtime().clock();
  }

  long patienceMillis() {
    return settings.limits().pingTime().toMillis();
  }

  ServerLink newLink(Stream stream, boolean incoming) {
    return new ServerLink(ports.gate(), resumable, stream, incoming);
  }

  /// How much a server may send once it has proved a domain.
  InputLimits provedLimits() {
    return InputLimits.ofElements(settings.stanzas());
  }

  /// The limits that are announced (XEP-0478).
  Element announcedLimits(boolean proved) {
    XmlLimits xml = proved ? settings.stanzas() : settings.limits().beforeAuthentication();
    return Element.builder(StreamLimits.NAMESPACE, "limits")
        .child("max-bytes", Integer.toString(xml.maxBytes()))
        .child("idle-seconds", Long.toString(settings.limits().idleTime().toSeconds()))
        .build();
  }
}
