package im.zonda.home.account;

import im.zonda.home.request.ServerRequests;
import im.zonda.home.session.LocalSession;
import im.zonda.module.Addressee;
import im.zonda.module.Envelope;
import im.zonda.module.ExternalComponents;
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
public final class IqRequests {
  private final Routes routes;
  private final ServerRequests asked;

  /// @param asked gets the answers to requests of the server itself
  public IqRequests(Routes routes, ServerRequests asked) {
    this.routes = routes;
    this.asked = asked;
  }

  /// Accepts the answer to a request of the server itself; ignores any other. Does not block.
  public void acceptAnswer(Iq answer) {
    asked.accept(answer);
  }

  /// Has the module in charge answer a request, or accepts an answer. May block for requests.
  ///
  /// @param home the addressed account's home, or the sender's; null if the sender has none here
  /// @param session the session that sent it if it is one of that home's, otherwise null
  public void answer(
      Dispatch dispatch,
      Iq iq,
      Addressee addressee,
      @Nullable AccountHome home,
      @Nullable LocalSession session) {
    if (!iq.isRequest()) {
      acceptAnswer(iq);
      return;
    }
    Element payload = iq.payload();
    if (payload == null) {
      return;
    }
    switch (answer(dispatch, new IqRequest(iq, payload, home, session), addressee)) {
      case IqReply.Result(Element result) -> reply(session, Iq.result(iq, result));
      case IqReply.Refuse(StanzaError error) -> reply(session, Iq.error(iq, error));
      case IqReply.Later() -> {}
    }
  }

  private IqReply answer(Dispatch dispatch, IqRequest request, Addressee addressee) {
    Addressee treatedAs = addressee;
    for (ExternalComponents.Extension extension : dispatch.extensions()) {
      switch (extension.decide(request, treatedAs)) {
        case ExternalComponents.Decision.Pass() -> {}
        case ExternalComponents.Decision.PassAs(Addressee other) -> treatedAs = other;
        case ExternalComponents.Decision.Answer(IqReply reply) -> {
          return reply;
        }
      }
    }
    QName name = request.payload().name();
    IqHandler handler = dispatch.iqHandler(request.iq().type(), name, treatedAs);
    if (handler == null) {
      routes.errors().reject(request.iq(), StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
      return IqReply.later();
    }
    long began = System.nanoTime();
    try {
      return handler.handle(request);
    } finally {
      dispatch.took(handler, name.namespace(), began);
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
