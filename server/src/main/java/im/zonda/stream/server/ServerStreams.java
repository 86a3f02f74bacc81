package im.zonda.stream.server;

import im.zonda.config.limits.Limits;
import im.zonda.config.limits.S2sLimits;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamGate;
import im.zonda.runtime.ServerRuntime;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.InputLimits;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.StreamRole;
import im.zonda.stream.StreamXml;
import im.zonda.stream.TlsStart;
import im.zonda.throttle.VerificationThrottle;
import im.zonda.xml.Element;
import im.zonda.xml.XmlLimits;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The context that all streams with other servers share, and their profiles. Any thread may call.
public final class ServerStreams {
  private static final String ALPN = "xmpp-server";

  private final Settings settings;
  private final ServedDomains served;
  private final ServerStreamPolicy policy;
  private final ServerStreamGate gate;
  private final ServerConnector connector;
  private final VerificationThrottle verifications;
  private final ResumableLinks resumable;

  /// What does not depend on other parts of the server.
  ///
  /// @param limits how much and how long peers may send; streams with other servers have the times
  ///   of client streams
  /// @param resumption how long and how many interrupted streams can be resumed
  /// @param stanzas limits of stanzas of servers that have proved their domain
  /// @param keys dialback keys
  /// @param runtime its clock decides whether certificates are valid
  public record Settings(
      Limits limits,
      S2sLimits resumption,
      XmlLimits stanzas,
      DialbackKeys keys,
      ServerRuntime runtime) {}

  /// @param served the domains served here
  /// @param gate where stanzas go
  /// @param connector connects to servers that verify dialback keys
  public ServerStreams(
      Settings settings,
      ServedDomains served,
      ServerStreamPolicy policy,
      ServerStreamGate gate,
      ServerConnector connector) {
    this.settings = settings;
    this.served = served;
    this.policy = policy;
    this.gate = gate;
    this.connector = connector;
    this.verifications = new VerificationThrottle(settings.keys().make("", "", "throttle"));
    this.resumable = new ResumableLinks(settings.resumption(), settings.runtime().clock());
  }

  /// The profile of streams that other servers open.
  public StreamProfile incoming() {
    return profile(
        false,
        TlsStart.server(List.of(ALPN)).requestingCertificate(),
        stream -> new IncomingServerStream(this, stream));
  }

  /// The profiles of a stream to be opened for a pair. The gate gets [ServerStreamGate#ready] or
  /// [ServerStreamGate#failed] for it.
  public ServerConnector.Profiles outgoing(DomainPair pair) {
    return server ->
        profile(
            true,
            TlsStart.client(pair.remote(), List.of(ALPN)).withCertificateOf(pair.local()),
            stream -> new OutgoingServerStream(this, stream, pair, server));
  }

  /// The profiles of a stream that verifies a dialback key.
  ServerConnector.Profiles verifying(KeyVerification verification) {
    DomainPair pair = verification.pair();
    return server ->
        profile(
            true,
            TlsStart.client(pair.remote(), List.of(ALPN)).withCertificateOf(pair.local()),
            stream -> new VerifyingServerStream(this, stream, verification, server));
  }

  /// Ends interrupted streams that were not resumed in time. To be called every few seconds.
  public void sweep() {
    resumable.sweep();
  }

  private StreamProfile profile(boolean initiating, TlsStart directTls, StreamRole.Factory roles) {
    Limits limits = settings.limits();
    return new StreamProfile(
        new StreamProfile.Headers(
            Namespaces.SERVER, initiating, true, Map.of("db", StreamXml.DIALBACK)),
        new InputLimits(limits.beforeAuthentication(), limits.unauthenticatedBytes()),
        new StreamProfile.Times(limits.negotiationTime(), limits.idleTime(), limits.pingTime()),
        settings.runtime().ids(),
        settings.runtime().workers(),
        directTls,
        roles);
  }

  ServedDomains served() {
    return served;
  }

  ServerStreamPolicy policy() {
    return policy;
  }

  ServerStreamGate gate() {
    return gate;
  }

  ServerConnector connector() {
    return connector;
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
    return new ServerLink(gate, resumable, stream, incoming);
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
