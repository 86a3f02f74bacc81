package im.zonda.stream.client;

import im.zonda.jid.Jid;
import im.zonda.module.IqReply;
import im.zonda.module.UnauthenticatedHandler;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaError;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.stanza.StreamErrorCondition;
import im.zonda.stream.StreamTransport;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import im.zonda.xml.framing.Frame;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The stanzas of a stream that is not bound yet: IQ requests that modules answer to anyone, and
/// the request to bind. Any other ends the stream with `not-authorized` (RFC 6120, section
/// 4.9.3.12).
final class EarlyRequests {
  private static final Logger LOG = LoggerFactory.getLogger(EarlyRequests.class);
  static final QName BIND = new QName(Namespaces.BIND, "bind");

  private final Negotiation negotiation;
  private final ClientStream stream;
  private final StreamTransport transport;

  /// Made for the first request.
  private UnauthenticatedHandler.@Nullable Client client;

  EarlyRequests(Negotiation negotiation, ClientStream stream, StreamTransport transport) {
    this.negotiation = negotiation;
    this.stream = stream;
    this.transport = transport;
  }

  /// The client of the stream.
  private record StreamClient(InetAddress address, Map<Class<?>, Object> values)
      implements UnauthenticatedHandler.Client {
    @Override
    public <T> @Nullable T get(Class<T> type) {
      return type.cast(values.get(type));
    }

    @Override
    public <T> void keep(Class<T> type, T value) {
      values.put(type, value);
    }

    @Override
    public void forget(Class<?> type) {
      values.remove(type);
    }
  }

  /// Handles a first-level element of the content namespace.
  ///
  /// @param account the account of the client, or null before authentication
  void receive(StreamHost at, @Nullable Jid account, Frame frame) {
    if (!frame.name().name().equals("iq")) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    Iq iq;
    try {
      if (!(Stanza.received(frame) instanceof Iq read)) {
        stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
        return;
      }
      iq = read;
    } catch (StanzaFormatException e) {
      if (account == null) {
        stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      } else {
        stream.refuse(e, at.domain());
      }
      return;
    }
    Element payload = iq.isRequest() ? iq.payload() : null;
    if (payload == null) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
    } else if (account == null) {
      unauthenticated(at, iq, payload);
    } else if (iq.type() == Iq.Type.SET && payload.name().equals(BIND)) {
      negotiation.binding().bind(at, account, iq, payload);
    } else {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, "bind a resource first");
    }
  }

  private void unauthenticated(StreamHost at, Iq iq, Element payload) {
    UnauthenticatedHandler handler =
        negotiation.allowsSecrets()
            ? at.unauthenticated().handler(iq.type(), payload.name())
            : null;
    if (handler == null) {
      stream.fail(StreamErrorCondition.NOT_AUTHORIZED, null);
      return;
    }
    if (client == null) {
      client = new StreamClient(transport.remoteAddress(), new ConcurrentHashMap<>());
    }
    UnauthenticatedHandler.Client asking = client;
    // No identity is proved: the request has no sender.
    Iq request = iq.withAddresses(null, at.domain());
    negotiation.stream()
        .runBlocking(
            () -> {
              IqReply reply = handler.handle(request, payload, asking);
              return () -> answer(request, reply);
            },
            cause -> {
              LOG.atError().setCause(cause).addKeyValue("payload", payload.name()).log("iq_failed");
              answer(request, IqReply.refuse(ErrorCondition.INTERNAL_SERVER_ERROR));
            });
  }

  private void answer(Iq request, IqReply reply) {
    Iq answer =
        switch (reply) {
          case IqReply.Result result -> Iq.result(request, result.payload());
          case IqReply.Refuse refusal -> Iq.error(request, refusal.error());
          case IqReply.Later later -> {
            LOG.atError().addKeyValue("payload", request.payloadName()).log("iq_reply_impossible");
            yield Iq.error(request, StanzaError.of(ErrorCondition.INTERNAL_SERVER_ERROR));
          }
        };
    transport.write(answer);
  }
}
