package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.Stream;
import im.zonda.stream.sasl.LoginAttempts;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.stream.sasl.SaslCondition;
import im.zonda.stream.sasl.SaslExchange;
import im.zonda.stream.sasl.SaslFailure;
import im.zonda.stream.sasl.SaslMechanism;
import im.zonda.stream.sasl.SaslOffer;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The SASL profile of RFC 6120, section 6: one attempt after another until one succeeds or too
/// many have failed. Confined to the stream's thread.
final class SaslLogin implements SaslExchange.Profile {
  private final Negotiation negotiation;
  private final Stream stream;
  private final LoginAttempts attempts;

  private StreamHost host;
  private @Nullable SaslOffer offer;
  private @Nullable SaslExchange exchange;

  SaslLogin(Negotiation negotiation, LoginAttempts attempts, StreamHost host) {
    this.negotiation = negotiation;
    this.stream = negotiation.stream();
    this.attempts = attempts;
    this.host = host;
  }

  /// Sets what a stream header was answered with.
  ///
  /// @param newOffer null if nothing is offered before TLS
  void setOffer(StreamHost newHost, @Nullable SaslOffer newOffer) {
    host = newHost;
    offer = newOffer;
    exchange = null;
  }

  /// The mechanism of the attempt in progress; null if there is none.
  @Nullable SaslMechanism mechanism() {
    return exchange == null ? null : exchange.mechanism();
  }

  /// Takes an element of the SASL namespace.
  void receive(Element element) {
    try {
      switch (element.name().name()) {
        case "auth" -> auth(element);
        case "response" -> response(element);
        case "abort" -> throw new SaslFailure(SaslCondition.ABORTED, "by the client");
        default -> stream.fail(StreamErrorCondition.UNSUPPORTED_STANZA_TYPE, null);
      }
    } catch (SaslFailure failure) {
      failed(failure);
    }
  }

  private void auth(Element auth) throws SaslFailure {
    if (exchange != null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "an attempt is under way");
    }
    SaslMechanism wanted = SaslOffer.require(offer, auth.attribute("mechanism"));
    SaslExchange attempt =
        new SaslExchange(attempts, host, Objects.requireNonNull(offer), wanted, this);
    exchange = attempt;
    String data = data(auth);
    if (data.isEmpty() && !attempt.mayBeginEmpty()) {
      challenge(new byte[0]);
    } else {
      attempt.handleMessage(SaslBase64.decode(data));
    }
  }

  private void response(Element response) throws SaslFailure {
    SaslExchange attempt = exchange;
    if (attempt == null) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "no attempt is under way");
    }
    attempt.handleMessage(SaslBase64.decode(data(response)));
  }

  private static String data(Element element) throws SaslFailure {
    if (!element.children().isEmpty()) {
      throw new SaslFailure(SaslCondition.MALFORMED_REQUEST, "child elements");
    }
    return element.text();
  }

  @Override
  public void challenge(byte[] message) {
    write("challenge", message);
  }

  @Override
  public void succeeded(Jid account, byte[] data) {
    write("success", data);
    SaslMechanism proof = Objects.requireNonNull(mechanism());
    negotiation.restartAuthenticated(account, proof.saslName());
  }

  private void write(String name, byte[] data) {
    QName element = new QName(Namespaces.SASL, name);
    stream.write(
        data.length == 0 ? Element.of(element) : Element.text(element, SaslBase64.encode(data)));
  }

  @Override
  public void failed(SaslFailure failure) {
    SaslExchange attempt = exchange;
    attempts.log(
        failure,
        host,
        attempt == null ? null : attempt.claimed(),
        attempt == null ? null : attempt.mechanism().saslName());
    exchange = null;
    stream.write(
        Element.builder(Namespaces.SASL, "failure")
            .child(Element.of(Namespaces.SASL, failure.condition().elementName()))
            .build());
    attempts.countFailure(failure);
  }
}
