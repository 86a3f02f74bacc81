package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.stream.ScramServer.ClientFirst;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The authentication of one stream (RFC 6120, section 6): one attempt after another until one
/// succeeds or too many have failed. Runs on the stream's thread.
final class SaslLogin {
  private static final Logger LOG = LoggerFactory.getLogger(SaslLogin.class);

  private final Negotiation negotiation;
  private final StreamContext context;
  private int failures;

  private StreamHost host;
  private @Nullable SaslOffer offer;
  private @Nullable SaslMechanism mechanism;
  private @Nullable ScramServer scram;
  private @Nullable Jid claimed;

  SaslLogin(Negotiation negotiation, StreamContext context, StreamHost host) {
    this.negotiation = negotiation;
    this.context = context;
    this.host = host;
  }

  /// A stream header was answered: from now on it is about `newHost` with `newOffer`; null if
  /// nothing is offered before TLS.
  void offered(StreamHost newHost, @Nullable SaslOffer newOffer) {
    host = newHost;
    offer = newOffer;
    forget();
  }

  /// The mechanism of the attempt under way, or of the one that succeeded.
  @Nullable SaslMechanism mechanism() {
    return mechanism;
  }

  /// Takes an element of the SASL namespace.
  void element(Element element) {
    try {
      switch (element.name().name()) {
        case "auth" -> auth(element);
        case "response" -> response(element);
        case "abort" -> throw new SaslFailure(SaslCondition.ABORTED, "by the client");
        default -> negotiation.stream().fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
      }
    } catch (SaslFailure failure) {
      failed(failure);
    }
  }

  private void auth(Element auth) throws SaslFailure {
    if (mechanism != null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "an attempt is under way");
    }
    SaslMechanism wanted = SaslMechanism.ofSaslName(auth.attribute("mechanism"));
    SaslOffer offered = offer;
    if (wanted != null && offered == null) {
      throw new SaslFailure(SaslCondition.ENCRYPTION_REQUIRED, "before TLS");
    }
    if (wanted == null || offered == null || !offered.has(wanted)) {
      throw new SaslFailure(SaslCondition.INVALID_MECHANISM, "not offered");
    }
    mechanism = wanted;
    String data = data(auth);
    if (data.isEmpty()) {
      negotiation.stream().write(Element.of(Namespaces.SASL, "challenge"));
    } else {
      first(offered, wanted, SaslBase64.decode(data));
    }
  }

  private void response(Element response) throws SaslFailure {
    SaslOffer offered = offer;
    SaslMechanism wanted = mechanism;
    if (wanted == null || offered == null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "no attempt is under way");
    }
    byte[] message = SaslBase64.decode(data(response));
    ScramServer exchange = scram;
    if (exchange == null) {
      first(offered, wanted, message);
      return;
    }
    byte[] serverFinal = exchange.finish(message);
    Jid account = claimed;
    if (account == null) {
      throw new SaslFailure(SaslCondition.NOT_AUTHORIZED, "no such account");
    }
    succeeded(account, SaslBase64.encode(serverFinal));
  }

  private static String data(Element element) throws SaslFailure {
    if (!element.children().isEmpty()) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "child elements");
    }
    return element.text();
  }

  private void first(SaslOffer offered, SaslMechanism wanted, byte[] message) throws SaslFailure {
    if (wanted == SaslMechanism.PLAIN) {
      plain(PlainMessage.parse(message));
      return;
    }
    ScramServer exchange = new ScramServer(wanted, offered, context.ids().next());
    ClientFirst first = exchange.clientFirst(message);
    claim(first.name(), first.authzid());
    scram = exchange;
    StreamHost asked = host;
    negotiation.elsewhere(
        () -> {
          ScramKeys keys = context.authenticator().keys(asked, first.name(), wanted.hash());
          String downgradeProtection = ",h=" + offered.downgradeHash(wanted.hash());
          return () -> challenge(exchange.serverFirst(keys, downgradeProtection));
        },
        this::broken);
  }

  private void plain(PlainMessage message) throws SaslFailure {
    claim(message.name(), message.authzid());
    StreamHost asked = host;
    negotiation.elsewhere(
        () -> {
          boolean right =
              context.authenticator().matches(asked, message.name(), message.password());
          return () -> plainChecked(right);
        },
        this::broken);
  }

  private void plainChecked(boolean right) {
    Jid account = claimed;
    if (right && account != null) {
      succeeded(account, "");
    } else {
      failed(new SaslFailure(SaslCondition.NOT_AUTHORIZED, "password"));
    }
  }

  /// Remembers whom the client says it is. It may act for nobody else (RFC 6120, section 6.3.8).
  private void claim(String name, String authzid) throws SaslFailure {
    claimed = Authenticator.account(host, name);
    if (authzid.isEmpty()) {
      return;
    }
    try {
      if (!Jid.of(authzid).equals(claimed)) {
        throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "another account");
      }
    } catch (JidFormatException e) {
      throw new SaslFailure(SaslCondition.INVALID_AUTHZID, "not an address");
    }
  }

  private void challenge(byte[] message) {
    negotiation.stream()
        .write(Element.text(new QName(Namespaces.SASL, "challenge"), SaslBase64.encode(message)));
  }

  private void succeeded(Jid account, String data) {
    negotiation.stream().write(Element.text(new QName(Namespaces.SASL, "success"), data));
    scram = null;
    negotiation.authenticated(account);
  }

  private void broken(Exception cause) {
    LOG.atError()
        .addKeyValue("host", host.domain())
        .addKeyValue("store", cause instanceof StoreException e ? e.category() : null)
        .setCause(cause)
        .log("sasl_lookup_failed");
    failed(new SaslFailure(SaslCondition.TEMPORARY_AUTH_FAILURE, "lookup"));
  }

  private void failed(SaslFailure failure) {
    failures++;
    LOG.atInfo()
        .addKeyValue("host", host.domain())
        .addKeyValue("account", claimed)
        .addKeyValue("mechanism", mechanism)
        .addKeyValue("address", negotiation.stream().address())
        .addKeyValue("condition", failure.condition())
        .addKeyValue("reason", failure.getMessage())
        .log("sasl_failed");
    forget();
    negotiation.stream()
        .write(
            Element.builder(Namespaces.SASL, "failure")
                .child(Element.of(Namespaces.SASL, failure.condition().elementName()))
                .build());
    if (failures >= context.limits().saslFailures()) {
      negotiation.stream()
          .fail(StreamErrorCondition.POLICY_VIOLATION, "too many failed authentications");
    }
  }

  private void forget() {
    mechanism = null;
    scram = null;
    claimed = null;
  }
}
