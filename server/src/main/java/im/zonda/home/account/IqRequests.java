package im.zonda.home.account;

import im.zonda.home.session.LocalSession;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.module.IqHandler;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.route.Routes;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// Has modules answer the IQ requests that the server answers itself (RFC 6120, section 8.2.3).
final class IqRequests {
  private final Routes routes;

  IqRequests(Routes routes) {
    this.routes = routes;
  }

  /// Has the module in charge answer a request; results and errors end here. May block.
  ///
  /// @param home the addressed account's home, or the sender's; null if the sender has none here
  /// @param session the session that sent it if it is one of that home's, otherwise null
  void answer(
      Dispatch dispatch,
      Iq iq,
      Addressee addressee,
      @Nullable AccountHome home,
      @Nullable LocalSession session) {
    QName name = iq.payloadName();
    Element payload = iq.isRequest() ? iq.payload() : null;
    if (name == null || payload == null) {
      return;
    }
    IqHandler handler = dispatch.iqHandler(iq.type(), name, addressee);
    if (handler == null) {
      routes.errors().reject(iq, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return;
    }
    switch (handler.handle(new IqRequest(iq, payload, home, session))) {
      case IqReply.Result(Element result) -> reply(session, Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> reply(session, Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }

  private void reply(@Nullable LocalSession session, Iq answer) {
    if (session != null) {
      session.send(answer);
    } else {
      routes.route(Envelope.of(answer));
    }
  }
}
