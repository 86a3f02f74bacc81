package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.xml.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is done between a proved identity and `<success/>`, and told with it: a session is resumed,
/// or else bound, if the client asks for that (XEP-0388, section 2.6.1).
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

  /// The mechanism's additional data, to be told with the next element.
  void data(byte[] additionalData) {
    data = additionalData;
  }

  /// A token for the client (XEP-0484); null if there is none.
  void token(@Nullable Element newToken) {
    token = newToken;
  }

  /// Adds the mechanism's data, if they have not been told yet.
  void addData(Element.Builder builder) {
    if (data.length > 0) {
      builder.child("additional-data", SaslBase64.encode(data));
      data = NOTHING;
    }
  }

  /// The client has proved that the account is its own: does what it has asked for, then tells it.
  void go(StreamHost at, Jid account, Sasl2Request request) {
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

  /// Tells the client of its session.
  ///
  /// @param managed whether stream management has been enabled with the bind
  void bound(StreamHost at, Jid jid, Element bound, boolean managed) {
    results.add(bound);
    write(jid);
    negotiation.stream().write(negotiation.featuresWhenBound(at, managed));
  }

  /// Tells the client that it has no session; it may bind by a request.
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
