package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.link.ToSession;
import im.zonda.link.ToStream;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.stream.StreamTransport;
import im.zonda.stream.bound.BoundStream;
import im.zonda.stream.bound.SessionLink;
import im.zonda.xml.Element;

/// Binds the stream to a resource by an IQ request (RFC 6120, section 7).
final class ResourceBinding {
  private final Negotiation negotiation;
  private final ClientStream stream;
  private final StreamTransport transport;

  ResourceBinding(Negotiation negotiation, ClientStream stream, StreamTransport transport) {
    this.negotiation = negotiation;
    this.stream = stream;
    this.transport = transport;
  }

  /// Takes the request.
  void bind(StreamHost at, Jid account, Iq iq, Element payload) {
    // No `from` can be right before the resource is known.
    Iq request = iq.withAddresses(null, null);
    Element child = payload.child("resource");
    String resource = child == null || child.text().isEmpty() ? null : child.text();
    if (resource != null) {
      try {
        resource = account.withResource(resource).resource();
      } catch (JidFormatException e) {
        transport.write(Iq.error(request, StanzaError.of(ErrorCondition.BAD_REQUEST)));
        return;
      }
    }
    negotiation.await();
    SessionLink link = stream.link(at);
    link.bind(
        new ToSession.Bind(account, resource, null, negotiation.guest(), negotiation.connection()),
        answer -> ended(at, link, request, answer));
  }

  private void ended(StreamHost at, SessionLink link, Iq request, ToStream answer) {
    switch (answer) {
      case ToStream.Bound(var jid, var _, var _) -> {
        BoundStream _ = stream.bound(at.domain(), link, jid);
        Element bound = Element.builder(EarlyRequests.BIND).child("jid", jid.toString()).build();
        transport.write(Iq.result(request, bound));
      }
      case ToStream.NotBound(var condition) ->
          transport.write(Iq.error(request, StanzaError.of(condition)));
      default -> throw new IllegalStateException("no answer to a bind: " + answer);
    }
    negotiation.goOn();
  }
}
