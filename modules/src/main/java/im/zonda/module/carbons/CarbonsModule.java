package im.zonda.module.carbons;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Phase;
import im.zonda.hook.Verdict;
import im.zonda.module.Addressee;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.session.Session;
import im.zonda.session.SessionKey;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.store.StanzaIds;
import im.zonda.xml.QName;
import org.jspecify.annotations.Nullable;

/// Copies the messages that one client of an account sends or receives to its other clients that
/// have enabled it.
///
/// Copies are neither stored nor filtered nor copied again. Only this server creates them: a
/// message that contains one is rejected with `not-allowed`.
///
/// A client need not be available to get copies. A client that is not gets no copy of a message
/// that is in the log, as it will get the message itself once it is available.
@Xep(
    number = 280,
    version = "1.0.1",
    title = "Message Carbons",
    note =
        "An error is copied if it answers one of the last 64 messages of the account that were"
            + " eligible while several clients were connected")
@Xep(
    number = 297,
    version = "1.0",
    title = "Stanza Forwarding",
    note = "In copies and archives; what clients forward to each other is delivered as it is")
public final class CarbonsModule implements XmppModule {
  static final String NAMESPACE = "urn:xmpp:carbons:2";

  private static final QName ENABLE = new QName(NAMESPACE, "enable");
  private static final QName DISABLE = new QName(NAMESPACE, "disable");
  private static final StanzaError FORGED =
      StanzaError.of(ErrorCondition.NOT_ALLOWED).withText("Only the server sends carbon copies.");

  private final SessionKey<Boolean> enabled =
      new SessionKey<>("carbons", Boolean.class, String::valueOf, Boolean::valueOf);

  @Override
  public String name() {
    return "carbons";
  }

  @Override
  public Ports ports() {
    return Ports.of(StanzaIds.class);
  }

  @Override
  public void install(ModuleContext context) {
    context.advertise(NAMESPACE);
    context.advertise("urn:xmpp:carbons:rules:0");
    context.onIq(Iq.Type.SET, ENABLE, Addressee.OWN_ACCOUNT, request -> set(request, true));
    context.onIq(Iq.Type.SET, DISABLE, Addressee.OWN_ACCOUNT, request -> set(request, null));
    context.onBind(
        ENABLE,
        (home, session, request) -> {
          session.set(enabled, true);
          return null;
        });
    for (QName request : new QName[] {ENABLE, DISABLE}) {
      context.onIq(
          Iq.Type.SET,
          request,
          Addressee.OTHER_ACCOUNT,
          foreign -> IqReply.refuse(ErrorCondition.NOT_ALLOWED));
    }
    for (HookPoint point : HookPoint.values()) {
      context.onMessage(point, Phase.REFUSE, (message, home, session) -> rejectForged(message));
    }
    CarbonCopies copies = new CarbonCopies(enabled, context.port(StanzaIds.class));
    context.addHomeState(copies.key());
    context.onDelivery(copies);
  }

  private IqReply set(IqRequest request, @Nullable Boolean on) {
    Session session = request.session();
    if (session == null) {
      return IqReply.refuse(ErrorCondition.NOT_ALLOWED);
    }
    session.set(enabled, on);
    return IqReply.empty();
  }

  /// An error that returns a copy, from a client that could not process it, passes without the
  /// copy.
  private static Verdict rejectForged(Message message) {
    if (!message.has(CarbonCopies.RECEIVED) && !message.has(CarbonCopies.SENT)) {
      return Verdict.pass();
    }
    if (!message.isError()) {
      return new Verdict.Refuse(FORGED);
    }
    return Verdict.replace(
        message.withoutPayloads(payload ->
            payload.name().equals(CarbonCopies.RECEIVED)
                || payload.name().equals(CarbonCopies.SENT)));
  }
}
