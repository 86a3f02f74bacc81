package im.zonda.stream.client;

import im.zonda.account.provider.AccountProvider.Ability;
import im.zonda.account.provider.Verdict;
import im.zonda.auth.provider.Admission;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Xep;
import im.zonda.session.ClientConnection;
import im.zonda.session.ClientNetwork;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.HeaderReply;
import im.zonda.stream.HeaderRules;
import im.zonda.stream.PeerCertificates;
import im.zonda.stream.Stream;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.TlsStart;
import im.zonda.stream.bound.StreamManagement;
import im.zonda.stream.sasl.ClientTokens;
import im.zonda.stream.sasl.LoginAttempts;
import im.zonda.stream.sasl.SaslMechanism;
import im.zonda.stream.sasl.SaslOffer;
import im.zonda.stream.sasl.TokenMechanism;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.StreamHeader;
import im.zonda.xml.framing.Frame;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Stream negotiation with a client: headers, TLS, authentication, resource binding (RFC 6120,
/// sections 4 to 7). Dropped when a resource is bound, so that an idle session does not pay for it.
/// Confined to the stream's thread.
@Xep(number = 478, version = "0.2.0", title = "Stream Limits Advertisement")
final class Negotiation implements ClientNegotiation {
  private static final Element CLIENT_STATE = Element.of("urn:xmpp:csi:0", "csi");

  private final ClientStream client;
  private final NegotiationContext context;
  private final Stream stream;
  private final StreamTransport transport;
  private final EarlyRequests requests;
  private final ResourceBinding binding;
  private final Resuming resuming;
  private final Bind2 bind2;
  private final LoginAttempts attempts;

  private @Nullable StreamHost host;
  private @Nullable Jid from;
  private @Nullable SaslLogin sasl;
  private @Nullable Sasl2Login sasl2;
  private @Nullable Jid account;
  private @Nullable String mechanism;

  /// Whether the client has presented a certificate that gives an address of the host.
  private boolean certified;

  Negotiation(ClientStream client, NegotiationContext context, Stream stream) {
    this.client = client;
    this.context = context;
    this.stream = stream;
    this.transport = stream.transport();
    this.requests = new EarlyRequests(this, client, transport);
    this.binding = new ResourceBinding(this, client, transport);
    this.resuming = new Resuming(this, client);
    this.bind2 = new Bind2(this, context, client);
    this.attempts = new LoginAttempts(stream, context.sasl());
  }

  Stream stream() {
    return stream;
  }

  ResourceBinding binding() {
    return binding;
  }

  @Override
  public void ended() {
    attempts.cancel();
  }

  void await() {
    stream.suspendInput();
  }

  void goOn() {
    stream.resumeInput();
  }

  /// Where the client comes from if it has logged in as a guest (XEP-0175); otherwise null.
  @Nullable ClientNetwork guest() {
    return SaslMechanism.ANONYMOUS.saslName().equals(mechanism)
        ? ClientNetwork.of(transport.remoteAddress())
        : null;
  }

  /// The connection of the client.
  ClientConnection connection() {
    String version = transport.tlsVersion();
    String tls =
        switch (version) {
          case "0304" -> "TLS 1.3";
          case "0303" -> "TLS 1.2";
          case null, default -> transport.secure() ? "TLS" : null;
        };
    return new ClientConnection(transport.remoteAddress().getHostAddress(), tls);
  }

  // ---- the header

  @Override
  public HeaderReply answer(StreamHeader header) {
    StreamHost found = null;
    StreamErrorCondition error;
    from = HeaderRules.bareFrom(header);
    try {
      Jid domain = HeaderRules.domainTo(header);
      found = domain == null ? null : context.findHost(domain.domain());
      error = ClientHeader.checkHost(found, account);
    } catch (JidFormatException e) {
      error = StreamErrorCondition.IMPROPER_ADDRESSING;
    }
    if (error == null && account != null) {
      error = ClientHeader.checkFrom(header, account);
    }
    if (error == null && found != null && !client.enterHost(found)) {
      error = StreamErrorCondition.HOST_GONE;
    }
    host = found;
    return new HeaderReply(found == null ? null : found.domain(), from, error);
  }

  @Override
  public void opened() {
    StreamHost at = openedHost();
    PeerCertificates peer =
        account == null && at.takesCertificates() ? transport.peerCertificates() : null;
    certified = false;
    if (peer == null) {
      stream.write(features(at));
      return;
    }
    stream.runBlocking(
        () -> {
          boolean known = knows(at.accounts().checkCertificate(null, peer.chain()));
          return () -> {
            certified = known;
            stream.write(features(at));
          };
        },
        cause -> {
          LoginAttempts.internalFailure(at, cause);
          stream.write(features(at)); // there are other mechanisms
        });
  }

  /// Whether a certificate gives an address of the host: otherwise EXTERNAL is not offered, and the
  /// client logs in by another mechanism.
  private static boolean knows(Admission admission) {
    return switch (admission) {
      case Admission.Admitted _, Admission.Disabled _ -> true;
      case Admission.Refused(String reason) -> reason.equals(Verdict.SEVERAL_ADDRESSES);
      case Admission.Unavailable _ -> false;
    };
  }

  private StreamHost openedHost() {
    StreamHost at = host;
    if (at == null) {
      throw new IllegalStateException("an element before the stream header");
    }
    return at;
  }

  // ---- features

  /// The features of a stream to that host in its current state.
  Element features(StreamHost at) {
    Element.Builder features = Element.builder(Namespaces.STREAM, "features");
    if (account != null) {
      features.child(Element.of(EarlyRequests.BIND));
      features.child(
          Element.builder(Namespaces.SESSION, "session")
              .child(Element.of(Namespaces.SESSION, "optional"))
              .build());
      features.child(StreamManagement.FEATURE);
      features.child(CLIENT_STATE);
      features.children(at.featuresAfter().get());
      features.child(limits(context.limits().client().maxBytes()));
      return features.build();
    }
    SaslOffer offer =
        allowsSecrets()
            ? new SaslOffer(transport, at.guests().isOpen(), at.accounts().hashes(), abilities(at))
            : null;
    if (sasl == null) {
      sasl = new SaslLogin(this, attempts, at);
    }
    if (sasl2 == null) {
      sasl2 = new Sasl2Login(this, context, attempts, new Sasl2Success(this, resuming, bind2), at);
    }
    sasl.setOffer(at, offer);
    sasl2.setOffer(at, offer, from);
    if (canStartTls()) {
      Element.Builder starttls = Element.builder(Namespaces.TLS, "starttls");
      if (offer == null) {
        starttls.child(Element.of(Namespaces.TLS, "required"));
      }
      features.child(starttls.build());
    }
    if (offer != null) {
      offer.addTo(features);
      features.child(authentication(at, offer));
      features.children(at.featuresBefore().get());
    }
    features.child(limits(context.limits().beforeAuthentication().maxBytes()));
    Element all = features.build();
    ConfigVersion version = offer == null ? null : ConfigVersion.of(all);
    sasl2.setVersion(version);
    return version == null ? all : version.addedTo(all);
  }

  private Set<Ability> abilities(StreamHost at) {
    Set<Ability> abilities = EnumSet.copyOf(at.accounts().abilities());
    if (!certified) {
      abilities.remove(Ability.CERTIFICATE);
    }
    return abilities;
  }

  /// The features of a stream with a bound resource.
  ///
  /// @param managed whether stream management has been enabled: there are clients that would enable
  ///   it again
  Element featuresWhenBound(StreamHost at, boolean managed) {
    Element.Builder features = Element.builder(Namespaces.STREAM, "features");
    if (!managed) {
      features.child(StreamManagement.FEATURE);
    }
    return features
        .child(CLIENT_STATE)
        .children(at.featuresAfter().get())
        .child(limits(context.limits().client().maxBytes()))
        .build();
  }

  /// The feature of XEP-0388, section 2.1.
  private static Element authentication(StreamHost at, SaslOffer offer) {
    Element.Builder feature = Element.builder(Sasl2Request.NAMESPACE, "authentication");
    for (SaslMechanism each : offer.mechanisms()) {
      feature.child("mechanism", each.saslName());
    }
    feature.child(
        Element.builder(Sasl2Request.NAMESPACE, "inline")
            .child(Bind2.feature(at))
            .child(StreamManagement.FEATURE)
            .child(fast(offer))
            .build());
    if (at.accounts().chain(at.domain().domain()) == null) {
      // Keys are added to accounts that the server keeps itself.
      for (String task : UpgradeTasks.OFFERED) {
        feature.child(Element.text(new QName(UpgradeTasks.NAMESPACE, "upgrade"), task));
      }
    }
    return feature.build();
  }

  /// XEP-0484, section 3.1.
  private static Element fast(SaslOffer offer) {
    Element.Builder fast = Element.builder(ClientTokens.NAMESPACE, "fast");
    for (TokenMechanism each : TokenMechanism.values()) {
      if (each.bindingOf(offer) != null) {
        fast.child("mechanism", each.saslName());
      }
    }
    return fast.build();
  }

  private Element limits(int maxBytes) {
    String idle = Long.toString(context.limits().idleTime().toSeconds());
    return Element.builder("urn:xmpp:stream-limits:0", "limits")
        .child("max-bytes", Integer.toString(maxBytes))
        .child("idle-seconds", idle)
        .build();
  }

  /// Whether passwords and other secrets may be sent on this connection. On a WebSocket from this
  /// machine they may, as its browsers assume: the page with the login came the same way, and it
  /// cannot start TLS.
  boolean allowsSecrets() {
    return transport.secure()
        || (transport.loopback() && (context.plaintextOnLoopback() || !transport.canStartTls()));
  }

  private boolean canStartTls() {
    return !transport.secure() && transport.canStartTls();
  }

  // ---- elements

  @Override
  public void receive(Frame frame) {
    StreamHost at = openedHost();
    QName name = frame.name();
    Sasl2Login inline = sasl2;
    if (inline != null
        && inline.isInProgress()
        && !name.namespace().equals(Sasl2Request.NAMESPACE)
        && !name.namespace().equals(Namespaces.STREAM)) {
      inline.rejectOutOfOrder();
      return;
    }
    switch (name.namespace()) {
      case Namespaces.TLS -> handleTls(name);
      case Namespaces.SASL -> handleSasl(frame);
      case Sasl2Request.NAMESPACE -> handleSasl2(frame);
      case Namespaces.CLIENT -> requests.receive(at, account, frame);
      case Namespaces.STREAM -> stream.receiveStreamElement(name);
      case StreamManagement.NAMESPACE -> resuming.element(at, account, frame);
      default ->
          stream.fail(
              account == null
                  ? StreamErrorCondition.NOT_AUTHORIZED
                  : StreamErrorCondition.UNSUPPORTED_STANZA_TYPE,
              null);
    }
  }

  private void handleTls(QName name) {
    if (!name.name().equals("starttls")) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else if (canStartTls() && account == null) {
      TlsStart start =
          openedHost().takesCertificates()
              ? TlsStart.SERVER.requestingCertificate()
              : TlsStart.SERVER;
      host = null;
      stream.startTls(start, Element.of(Namespaces.TLS, "proceed"));
    } else {
      // RFC 6120, section 5.4.2.2: a failure ends the stream.
      stream.write(Element.of(Namespaces.TLS, "failure"));
      stream.finish();
    }
  }

  private void handleSasl(Frame frame) {
    SaslLogin login = sasl;
    if (account != null || login == null) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else {
      login.receive(frame.toElement());
    }
  }

  private void handleSasl2(Frame frame) {
    Sasl2Login login = sasl2;
    if (account != null || login == null || (sasl != null && sasl.mechanism() != null)) {
      stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
    } else {
      login.receive(frame.toElement());
    }
  }

  /// The client has proved its identity and opens the stream again.
  void restartAuthenticated(Jid jid, String by) {
    acceptIdentity(jid, by);
    host = null;
    stream.restart();
  }

  /// The client has proved its identity; the stream goes on.
  ///
  /// @param by the name of the mechanism
  void acceptIdentity(Jid jid, String by) {
    account = jid;
    mechanism = by;
    stream.authenticated(context.authenticated());
  }
}
