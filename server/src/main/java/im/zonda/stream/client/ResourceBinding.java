package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.router.BoundSession;
import im.zonda.router.SessionGate;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.stream.StreamTransport;
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
        transport.send(Iq.error(request, StanzaError.of(ErrorCondition.BAD_REQUEST)), null);
        return;
      }
    }
    negotiation.await();
    at.gate().bind(account, resource, stream, new Answer(at, request));
  }

  /// Called by any thread.
  private final class Answer implements SessionGate.Binding {
    private final StreamHost at;
    private final Iq request;

    private Answer(StreamHost at, Iq request) {
      this.at = at;
      this.request = request;
    }

    @Override
    public void bound(BoundSession session) {
      Element jid =
          Element.builder(EarlyRequests.BIND).child("jid", session.jid().toString()).build();
      Iq answer = Iq.result(request, jid);
      transport.execute(() -> {
        if (stream.closed()) {
          session.lost();
          return;
        }
        BoundStream _ = stream.bound(at, session);
        session.attach(() -> transport.send(answer, null));
        negotiation.goOn();
      });
    }

    @Override
    public void refused(ErrorCondition condition) {
      transport.send(Iq.error(request, StanzaError.of(condition)), null);
      transport.execute(() -> {
        if (!stream.closed()) {
          negotiation.goOn();
        }
      });
    }
  }
}
