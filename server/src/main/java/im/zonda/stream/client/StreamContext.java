package im.zonda.stream.client;

import im.zonda.config.limits.Limits;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IdSource;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.InputLimits;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.StreamRole;
import im.zonda.stream.TlsStart;
import im.zonda.stream.sasl.SaslContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The context that all client streams of a server share. Immutable; any thread may call.
public final class StreamContext {
  private static final String ALPN = "xmpp-client";

  private final NegotiationContext negotiation;
  private final StreamProfile profile;

  /// @param hosts the virtual host of a prepared domain, or null
  /// @param plaintextOnLoopback whether clients on this machine may authenticate without TLS
  public StreamContext(
      Function<String, @Nullable StreamHost> hosts,
      Limits limits,
      boolean plaintextOnLoopback,
      SaslContext sasl) {
    this.negotiation =
        new NegotiationContext(
            hosts, limits, plaintextOnLoopback, sasl, InputLimits.ofElements(limits.client()));
    this.profile =
        profile(
            limits,
            sasl.runtime().ids(),
            sasl.authenticator()::run,
            TlsStart.server(List.of(ALPN)).requestingCertificateFor(this::takesCertificates),
            stream -> newStream(stream, null));
  }

  ClientStream newStream(Stream stream, @Nullable StreamMove move) {
    return new ClientStream(stream, client -> new Negotiation(client, negotiation, stream), move);
  }

  /// Whether clients of the host with that domain, as SNI names it, can log in with certificates.
  private boolean takesCertificates(String domain) {
    try {
      StreamHost host = negotiation.findHost(Jid.of(null, domain, null).domain());
      return host != null && host.takesCertificates();
    } catch (JidFormatException e) {
      return false;
    }
  }

  /// The same for clients that are asked for no certificate.
  static StreamProfile profile(
      Limits limits, IdSource ids, Executor workers, StreamRole.Factory roles) {
    return profile(limits, ids, workers, TlsStart.server(List.of(ALPN)), roles);
  }

  private static StreamProfile profile(
      Limits limits, IdSource ids, Executor workers, TlsStart directTls, StreamRole.Factory roles) {
    return new StreamProfile(
        new StreamProfile.Headers(Namespaces.CLIENT, false, true, Map.of()),
        new InputLimits(limits.beforeAuthentication(), limits.unauthenticatedBytes()),
        new StreamProfile.Times(limits.negotiationTime(), limits.idleTime(), limits.pingTime()),
        ids,
        workers,
        directTls,
        roles);
  }

  /// The profile of a stream that moves to another process once a resource is bound.
  public StreamProfile profile(StreamMove move) {
    return new StreamProfile(
        profile.headers(),
        profile.limits(),
        profile.times(),
        profile.ids(),
        profile.workers(),
        profile.directTls(),
        stream -> newStream(stream, move));
  }

  /// What client streams have in common with streams of any other kind.
  public StreamProfile profile() {
    return profile;
  }

  /// The limits of the server.
  public Limits limits() {
    return negotiation.limits();
  }

  /// What authentication needs.
  public SaslContext sasl() {
    return negotiation.sasl();
  }
}
