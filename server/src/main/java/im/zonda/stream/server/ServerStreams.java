package im.zonda.stream.server;

import im.zonda.config.limits.Limits;
import im.zonda.link.DomainPair;
import im.zonda.link.ServerStreamGate;
import im.zonda.stanza.Namespaces;
import im.zonda.stream.InputLimits;
import im.zonda.stream.ServedDomains;
import im.zonda.stream.StreamProfile;
import im.zonda.stream.StreamRole;
import im.zonda.stream.StreamXml;
import im.zonda.stream.TlsStart;
import java.util.List;
import java.util.Map;

/// The profiles of streams with other servers. Any thread may call.
public final class ServerStreams {
  private static final String ALPN = "xmpp-server";

  private final ServerStreamSettings settings;
  private final ServerStreamContext context;

  /// @param served the domains served here
  /// @param gate where stanzas go
  /// @param connector connects to servers that verify dialback keys
  public ServerStreams(
      ServerStreamSettings settings,
      ServedDomains served,
      ServerStreamPolicy policy,
      ServerStreamGate gate,
      ServerConnector connector) {
    this.settings = settings;
    this.context =
        new ServerStreamContext(
            settings,
            new ServerStreamContext.Ports(served, policy, gate, connector),
            this::verifying);
  }

  /// The profile of streams that other servers open.
  public StreamProfile incoming() {
    return profile(
        false,
        TlsStart.server(List.of(ALPN)).requestingCertificate(),
        stream -> new IncomingServerStream(context, stream));
  }

  /// The profiles of a stream to be opened for a pair. The gate gets [ServerStreamGate#ready] or
  /// [ServerStreamGate#failed] for it.
  public ServerConnector.Profiles outgoing(DomainPair pair) {
    return server ->
        profile(
            true,
            TlsStart.client(pair.remote(), List.of(ALPN)).withCertificateOf(pair.local()),
            stream -> new OutgoingServerStream(context, stream, pair, server));
  }

  /// The profiles of a stream that verifies a dialback key.
  private ServerConnector.Profiles verifying(KeyVerification verification) {
    DomainPair pair = verification.pair();
    return server ->
        profile(
            true,
            TlsStart.client(pair.remote(), List.of(ALPN)).withCertificateOf(pair.local()),
            stream -> new VerifyingServerStream(context, stream, verification, server));
  }

  /// Ends interrupted streams that were not resumed in time. To be called every few seconds.
  public void sweep() {
    resumable().sweep();
  }

  /// The interrupted streams.
  ResumableLinks resumable() {
    return context.resumable();
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
}
