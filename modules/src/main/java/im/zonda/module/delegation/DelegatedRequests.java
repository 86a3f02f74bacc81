package im.zonda.module.delegation;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Forwards requests to components, and their answers to those who asked (XEP-0355, section 4.3).
/// Requests that follow are handled meanwhile.
final class DelegatedRequests {
  /// How long an answer is waited for.
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ModuleContext context;
  private final ExternalComponents components;

  DelegatedRequests(ModuleContext context, ExternalComponents components) {
    this.context = context;
    this.components = components;
  }

  /// Forwards a request. One that the component does not answer as it must is answered with
  /// `service-unavailable`.
  IqReply forward(IqRequest request, Jid component) {
    Jid from = request.iq().from();
    if (from == null || !components.isConnected(component)) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Iq forwarding =
        Iq.of(
            Iq.Type.SET,
            context.domain(),
            component,
            context.ids().next(),
            DelegationXml.forward(request.iq()));
    // The senders of one other server count as one.
    Jid requester =
        from.domain().equals(context.domain().domain()) ? from.bare() : Jid.of(from.domain());
    Session session = request.session();
    components.request(
        forwarding,
        requester,
        PATIENCE,
        answer -> reply(request.iq(), answer(request.iq(), answer), session));
    return IqReply.later();
  }

  private static Iq answer(Iq request, Iq answer) {
    Iq result = answer.type() == Iq.Type.RESULT ? DelegationXml.forwarded(answer) : null;
    if (result == null || !isAnswer(request, result)) {
      return Iq.error(request, StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE));
    }
    Element payload = result.payload();
    return Iq.result(request, payload);
  }

  /// Whether the addresses and the identifier are those of the request. Components may leave out
  /// the `from`, as the examples of the XEP do.
  private static boolean isAnswer(Iq request, Iq result) {
    Jid from = result.from();
    return result.id().equals(request.id())
        && request.from() != null
        && request.from().equals(result.to())
        && (from == null || from.equals(addressee(request)));
  }

  /// Who was asked: without `to`, the sender's own account.
  private static @Nullable Jid addressee(Iq request) {
    Jid from = request.from();
    return request.to() != null || from == null ? request.to() : from.bare();
  }

  /// The answer to a request without `to` has no `from`, and only the session of the sender can be
  /// given such a stanza.
  private void reply(Iq request, Iq answer, @Nullable Session session) {
    Jid sender = request.from();
    if (request.to() != null) {
      context.send(answer);
    } else if (session != null && sender != null) {
      context.atHome(
          sender.bare(),
          home -> {
            if (home.sessions().contains(session)) {
              session.send(answer);
            }
          });
    }
  }
}
