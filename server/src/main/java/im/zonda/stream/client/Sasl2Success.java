package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.stream.sasl.SaslBase64;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The steps between a proved identity and `<success/>`, and their results, which go with it: a
/// session is resumed or otherwise bound, if the client requests it (XEP-0388, section 2.6.1).
final class Sasl2Success {
  private static final byte[] NOTHING = new byte[0];

  private final Negotiation negotiation;
  private final Resuming resuming;
  private final Bind2 bind2;
  private final List<Element> results = new ArrayList<>();
  private byte[] data = NOTHING;
  private @Nullable Element token;

  Sasl2Success(Negotiation negotiation, Resuming resuming, Bind2 bind2) {
    this.negotiation = negotiation;
    this.resuming = resuming;
    this.bind2 = bind2;
  }

  /// Sets the mechanism's additional data, which go with the next element.
  void data(byte[] additionalData) {
    data = additionalData;
  }

  /// Sets the token for the client (XEP-0484); null if there is none.
  void token(@Nullable Element newToken) {
    token = newToken;
  }

  /// Adds the mechanism's data, if they have not been sent yet.
  void addData(Element.Builder builder) {
    if (data.length > 0) {
      builder.child("additional-data", SaslBase64.encode(data));
      data = NOTHING;
    }
  }

  /// Does what a client with a proved identity has requested, then sends `<success/>`.
  void complete(StreamHost at, Jid account, Sasl2Request request) {
    Element resume = request.resume();
    if (resume == null) {
      bind(at, account, request);
      return;
    }
    resuming.resume(
        at,
        account,
        resume,
        (jid, resumed) -> {
          results.add(resumed);
          // No features: the stream is what it was (XEP-0198, section 10.2).
          write(jid);
        },
        failed -> {
          results.add(failed);
          bind(at, account, request);
        });
  }

  private void bind(StreamHost at, Jid account, Sasl2Request request) {
    Element bind = request.bind();
    if (bind == null) {
      notBound(at, account);
    } else {
      bind2.bind(at, account, request.agent(), bind, this);
    }
  }

  /// Sends success with a bound session.
  ///
  /// @param managed whether stream management has been enabled with the bind
  void bound(StreamHost at, Jid jid, Element bound, boolean managed) {
    results.add(bound);
    write(jid);
    negotiation.stream().write(negotiation.featuresWhenBound(at, managed));
  }

  /// Sends success without a session; the client may bind by an IQ request.
  void notBound(StreamHost at, Jid account) {
    write(account);
    negotiation.stream().write(negotiation.features(at));
  }

  private void write(Jid identity) {
    Element.Builder success = Element.builder(Sasl2Request.NAMESPACE, "success");
    addData(success);
    success.child("authorization-identifier", identity.toString());
    success.children(results);
    if (token != null) {
      success.child(token);
    }
    negotiation.stream().write(success.build());
  }
}
